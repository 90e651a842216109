Order.note('b recipes/default')
