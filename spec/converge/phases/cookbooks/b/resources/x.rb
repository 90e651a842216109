Order.note('b resources/x')
