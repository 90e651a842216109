Order.note('b libraries/x')
