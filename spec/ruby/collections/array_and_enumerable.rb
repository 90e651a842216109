a=[3,1,2]
p a.sort, a.map{|x|x*2}, a.select{|x|x>1}, a.include?(2), a.join(","), [1,[2,[3]]].flatten, a.first, a.last(2), a[0..1], a[-1], a[5]
a<<4; p a; a[6]=1; p a; p a.compact, a.uniq, a.length
p [1,2]+[3], [1,2,2]-[2], [1,2]&[2], [1]|[2]
p a.each_with_index.map{|x,i| [x,i]}
p (1..5).inject(:+), (1..5).each_slice(2).to_a, (1..10).step(3).to_a, ('a'..'e').to_a
p %w[a b c].each_with_object([]){|x,m| m<<x}
p [[1,2],[3,4]].to_h, [[1,2],[3,4]].map{|a,b| a+b}
p a.each_slice(2), a.map, a.map.size
p [1,2,3,4].partition(&:even?), [1,2,3].group_by(&:odd?), [1,2,3].zip([4,5,6],[7,8,9])
p [1,2,3].each_cons(2).to_a, [3,1].minmax, [1,2,3].sum, [0.1]*3, ([0.1]*3).sum, ["a","b"].sum("")
p (1..3).include?(2), (1..3)===2.5, ('a'..'z').include?("bb"), (1...10).size, (1..).first(3)
p [1,2,3].chunk_while{|a,b| b==a+1}.to_a, (1..10).chunk{|x|x.even?}.first(2)
p [1,2,3].cycle.first(5), [1,2,3].combination(2).to_a, [1,2,3].permutation.to_a, [1,2].product([3,4])
begin; [1].fetch(4); rescue => e; p e; end
begin; [1,"a"].sort; rescue => e; p e; end
begin; [1].first(-1); rescue => e; p e; end
b=[1]; b<<b; p b, b==b, b.hash==b.hash
begin; b.flatten; rescue => e; p e;end
begin; b.join; rescue => e; p e;end
p [1,2,3,4,5].each_entry.to_a rescue p $!
p({a: 1}.map{|k,v| [k,v]}) rescue p $!
class Foo; include Enumerable; def each; yield 1; yield 2,3; yield; end; end
p Foo.new.to_a, Foo.new.map{|x| x}, Foo.new.first, Foo.new.include?([2,3]), Foo.new.sort_by{|x|x.to_s}, Foo.new.each_with_index.to_a,Foo.new.min_by{|x|x.to_s}
p [1,2,3].bsearch{|x|x>=2}, (0..100).bsearch{|x|x>=50}, (0.0..10.0).bsearch{|x| x>=2.5}
p [3,5,2].max(2), [1,2,3,4].find{|x|x>2}, [1,nil,2].filter_map{|x| x}
p [1,2,3].dig(0), [[1,[2]]].dig(0,1,0), [1,2,3].values_at(0,2,5,0..1), [1,2,3,4].rotate, Array.new(3){|i|i}, Array.new(2,0), Array(1..3)
p (1..3).each_entry.to_a, 1.step(10,4) rescue p $!.class
b = [1, 2, 3]; c = [1, 2, 3]; rows = []
b.zip(c, c.each) { |row| rows << row; c.clear }
p rows
