Order.note('p definitions/x')
