Order.note('p libraries/x')
