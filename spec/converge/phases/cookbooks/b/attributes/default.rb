Order.note('b attributes/default')
