# SystemStackError
a = []
1_000_000.times { a = [a] }
a.inspect
