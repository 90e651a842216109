Order.note('p attributes/a')
