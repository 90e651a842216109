# Procs of one block are different keys, equal ones the same.
table = {}
procs = (1..1000).map { |number| proc { number } }
procs.each { |each| table[each] = each.call }
p table.size, table[procs[499]], table.keys.last.call, table.key?(proc { 1 })
p table[procs[7].dup], { [procs[3]] => :nested }[[procs[3].clone]]
p procs.uniq.size, (procs & procs.map(&:dup)).size
# Many are found at once, not by trying each.
many = (1..20_000).to_h { |number| [proc { number }, number] }
p many.size
