Order.note('p attributes/z')
