f=Fiber.new{1}; f.resume; begin; f.resume; rescue => e; p e; end
begin; Fiber.yield; rescue => e; p e; end
f=Fiber.new{f.resume}; begin; f.resume; rescue => e; p e; end
f=Fiber.new{ g=Fiber.new{ f.resume}; g.resume}; begin; f.resume; rescue => e; p e; end
f=Fiber.new{}; begin; f.raise "x"; rescue => e; p e; end
f.resume;begin; f.raise "x"; rescue => e; p e; end
begin; Fiber.new; rescue => e; p e; end
f=Fiber.new{Fiber.yield 1}; f.transfer rescue p $!
f=Fiber.new{Fiber.yield 1}; f.resume; begin; f.transfer; rescue => e; p e; end
m=Fiber.current
f=Fiber.new{m.transfer 1}; p f.transfer; begin; f.resume; rescue => e; p e; end
f=Fiber.new{throw :x}; begin; catch(:x){f.resume; p 1}; rescue Exception => e; p e; end
def foo; f=Fiber.new{return 1}; f.resume; end
begin; p foo; rescue Exception => e; p e; end
def bar; f=Fiber.new{yield}; f.resume; end
begin; p((bar {break 3})); rescue Exception => e; p e; end
f=Fiber.new{|*a| p a; p Fiber.yield(1,2); p Fiber.yield; :d}; p f.resume(5,6), f.resume(7), f.resume, f.alive?
f=Fiber.new{f.transfer} ; p f.resume
f=Fiber.new{def z(n) z(n+1) end; z(1)}; begin; f.resume; rescue SystemStackError => e; p e; end
e=[1,2].each; p e.next, e.peek, e.next; begin; e.next; rescue StopIteration => x; p x, x.result; end
begin; e.next; rescue StopIteration => y; p x.equal?(y); end
e=[1].each; e.next; begin; e.feed 1; e.feed 2; rescue => x; p x; end
e=Enumerator.new{|y| 3.times{|i| y << i; y.yield i,i}; :done}
p e.to_a, e.next, e.next, e.next_values, e.peek, e.size, e.rewind.next
p loop{ e.next }
fib=Enumerator.new{|y| a,b=0,1; loop{y<<a; a,b=b,a+b}}
p fib.lazy.select(&:even?).first(5), fib.take(10), fib.each_with_index.first(2)
p [1,2,3].map.with_index(1){|x,i| x*i}, [1,2].each.with_object([]){|x,m| m<<x}, [4,5].each_with_index.map{|x,i| [i,x]}
p ([1,2].each + [3]).to_a, [1].chain([2,3]).size, [1].each.inspect, ([1].each+[2]).inspect
1000.times{ e=[1,2,3].each; e.next }
f=Fiber.new{raise "boom"}; begin; f.resume; rescue => e; p e, f.alive?; end
p (1..3).each_entry.to_a, Enumerator.produce(1){|x|x*2}.take(5), Enumerator.produce([1,1]){|a,b|[b,a+b]}.lazy.map(&:first).first(4)
p [1,2,3].zip((4..6).each), (1..3).zip(4..5), (1..2).each_cons(2).size, [1,2,3].each_slice(2).size
10000.times{|i| f=Fiber.new{Fiber.yield i}; f.resume }
p :ok
