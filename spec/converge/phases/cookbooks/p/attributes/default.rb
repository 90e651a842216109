Order.note('p attributes/default')
