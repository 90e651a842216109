Order.note('b definitions/x')
