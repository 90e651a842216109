ENV["TZ"] = "Europe/Berlin"
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end
t { Time.at(0) }
t { Time.at(0).utc }
t { Time.at(1_600_000_000).to_a }
t { Time.local(2020, 3, 29, 2, 30) }
t { Time.local(2020, 10, 25, 2, 30) }
t { Time.new(2020, 7, 1).zone }
t { Time.new(2020, 1, 1, 12, 0, 0, "+09:00") }
t { Time.new(2020, 1, 1, 12, 0, 0, "Z").utc? }
t { Time.new(2020, 2, 30) }
t { Time.utc(2020, "feb", 1) }
t { Time.utc(2020, 13) }
t { Time.utc(2020, 1, 32) }
t { Time.gm(2020, 1, 1, 0, 0, 59.5).inspect }
t { Time.at(1.1).utc.inspect }
t { Time.at(1, 500, :millisecond).utc.inspect }
t { Time.at(0, in: "+05:30") }
t { Time.at(0, in: "UTC") }
t { Time.new(2020, 1, 1, in: "foo") }
t { Time.at("x") }
t { Time.utc(2020, 1, 31) + 86400 }
t { Time.utc(2020, 1, 31) - Time.utc(2020, 1, 1) }
t { Time.utc(2020) <=> Time.utc(2021) }
t { Time.utc(2020) == Time.utc(2020).localtime }
t { Time.utc(2020) < 3 }
t { Time.utc(2020) + Time.utc(2020) }
t { Time.utc(2020, 1, 2, 3, 4, 5).strftime("%Y-%m-%d %H:%M:%S %z %Z %a %j %s %L %N %3N %e %-d %p %I %y %% %F %T %c %x %X") }
t { Time.local(2020, 1, 2).strftime("%z %:z %::z %Z") }
t { Time.utc(2020, 1, 2).monday? }
t { [Time.utc(2020, 12, 31).yday, Time.utc(2020, 1, 1).wday, Time.utc(2020).month, Time.utc(2020).usec] }
t { Time.at(1.123456789r).utc.round(3).inspect }
t { Time.at(1.123456789r).nsec }
t { Time.at(0).getlocal("-02:00") }
t { Time.at(0).getlocal.utc_offset }
t { Time.at(0).localtime("+01:00").to_s }
t { Time.utc(2020).eql?(Time.utc(2020)) }
t { {Time.utc(2020) => 1}[Time.utc(2020)] }
t { Time.now.class }
t { Time.now.between?(Time.at(0), Time.now + 1) }
t { Time.utc(2020).to_r }
t { Time.utc(2020).to_f }
t { Time.at(1.5).subsec }
t { Time.utc(2020).ctime }
t { Time.utc(1, 2, 3, 4, 5, 2006, nil, nil, nil, nil) }
t { Time.utc(2020).dup.frozen? }
t { Class.new(Time).now.class.superclass }
t { [Time.utc(2020), Time.utc(2019)].min }
t { (Time.utc(2020)..Time.utc(2021)).cover?(Time.utc(2020, 5)) }
t { Time.utc(-1) }
t { Time.utc(10000) }
t { Time.at(0).dst? }
t { Time.local(2020, 7).dst? }
