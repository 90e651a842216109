Order.note('b providers/x')
