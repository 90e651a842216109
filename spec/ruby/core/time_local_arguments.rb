def t(n); r = begin; yield.inspect; rescue Exception => e; "#{e.class}: #{e.message}"; end; puts "#{n}: #{r}"; end
ENV["TZ"] = "America/New_York"
t(1) { Time.local(0, 30, 1, 6, 11, 2011, 0, 310, false, "EST") }
t(2) { Time.local(0, 30, 1, 6, 11, 2011, 0, 310, true, "EST") }
t(3) { Time.utc(1, 2, 3, 4, 5, 2006, nil, nil, nil, nil) }
t(4) { Time.local(1, 2, 3, 4, 5, 2006, nil, nil, nil, nil) }
t(5) { Time.local(*Time.local(2011, 7, 1, 2, 3, 4).to_a) }
t(6) { Time.local(2011, 7, 1, 2, 3, 4, 5, 6) }
t(7) { Time.local(2011, 7, 1, 2, 3, 4, 5, 6, false) }
t(8) { Time.local(1,2,3,4,5,6,7,8,9,10,11) }
t(9) { Time.gm(0, 30, 1, 6, 11, 2011, 0, 310, false, "EST") }
t(10) { Time.local(0, 30, 1, 6, 11, 2011, 0, 310, :x, 5) }
t(11) { Time.local(2011, 11, 6, 1, 30, 0, false) }
