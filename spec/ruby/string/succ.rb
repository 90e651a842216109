def t; r = yield; puts r.inspect; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
%w[a z az zz a9 Az zZ9 -9 1.9 1.9.9 ZZZ9 a-z ** <<koala>> 1999zzz ***].each{|x| t{x.succ}}
t{"".succ}
t{"\xff".b.succ}
t{"あん".succ}
t{"é".succ}
t{"Ω".succ}
