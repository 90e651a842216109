def t(n) = (r = begin; yield; rescue Exception => e; "#{e.class}: #{e.message.lines.first}"; end; puts "#{n}: #{r.inspect}")
t(1) { l = []; (1r..).step(1) { |x| l << x; break if l.size > 2 }; l }
t(2) { l = []; (1..).step(1r) { |x| l << x; break if l.size > 2 }; l }
t(3) { l = []; (1r..2).step(1/3r) { |x| l << x }; l }
t(4) { l = []; (1..10).step(3r) { |x| l << x }; l }
t(5) { l = []; (1...10).step(3) { |x| l << x }; l }
t(6) { l = []; (2**70..2**70 + 5).step(2) { |x| l << x - 2**70 }; l }
t(7) { l = []; (2**62..2**62 + 5).step(2**63) { |x| l << x }; l }
t(8) { l = []; (1..2**70).step(2**69) { |x| l << x }; l }
t(9) { l = []; (1..Complex(3, 0)).step(1) { |x| l << x }; l }
t(10) { l = []; (2**70..).step(2**70) { |x| l << x; break if l.size > 2 }; l }
