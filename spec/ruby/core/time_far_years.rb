# Times beyond what 64 bits of seconds hold, and digits below the nanosecond.
p Time.at(10**22).utc.year
p Time.at(10**22).strftime("%s")
p Time.at(-(10**22)).utc
p Time.utc(10**12).inspect
p Time.utc(10**18, 2, 29).to_i
p Time.utc(-10**15, 3, 1, 4, 5, 6).inspect
p (Time.utc(10**15) - Time.utc(10**15 - 1))
p Time.utc(10**16, 12, 31).yday, Time.utc(10**16, 12, 31).wday
p Time.utc(10**16).strftime("%Y %C %y %G %V %F %s")
p (Time.utc(2000) + 10**20).to_i
p Marshal.load(Marshal.dump(Time.utc(10**15, 5, 6, 7, 8, 9))).inspect
p Time.utc(10**15).to_a
t = Time.utc(1592, 3, 14, 6, 53, Rational("58.97932384626433832795028841971"))
p t.strftime("%m/%d/%Y %l:%M:%S.%29N")
p t.strftime("%40N|%3N|%12L|%9N|%10N")
p Time.at(Rational(1, 3)).strftime("%20N")
p Time.at(0.1).strftime("%15N")
begin
  Time.at(1 << 40).utc.strftime("%Y").then { p _1 }
end
begin
  File.utime(10**30, 0, __FILE__)
rescue => e
  p e.class
end
