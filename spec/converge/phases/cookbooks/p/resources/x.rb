Order.note('p resources/x')
