p (1..2).dup.frozen?, (1..2).clone.frozen?
x=[0,[1]]; p x.hash==[0,[1]].hash, {[1]=>2}[[1]]
p({a: 1}.map(&->(k,v){[k,v]}))
h={b: 1, a: 2}
p h.sort_by{|k,v| v}, h.min_by{|k,v| v}, h.each_with_index.to_a, h.inject{|a,b| a+b}, h.each_with_object([]){|(k,v),m| m<<k}, h.find{|k,v| v==2}, h.partition{|k,v| v>1}, h.group_by{|k,v| v.odd?}, h.flat_map{|k,v| [k]*v}, h.zip([1,2]), h.sum{|k,v| v}, h.each_slice(1).to_a, h.reduce(0){|s,(k,v)| s+v}, h.sort, h.to_a, h.first, h.first(1), h.max_by{|k,v| v}, h.each_cons(2).to_a, h.tally, h.filter_map{|k,v| k if v>1}, h.count{|k,v| v>1}, h.reverse_each.to_a, h.lazy.map{|k,v| v}.to_a, h.each_entry.to_a,h.uniq{|k,v|v}
