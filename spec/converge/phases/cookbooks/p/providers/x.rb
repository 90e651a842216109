Order.note('p providers/x')
