require "time"
ENV["TZ"] = "UTC"
now = Time.utc(2020, 5, 6, 7, 8, 9)
["2001-02-03 04:05:06", "2001-02-03T04:05:06Z", "2001-02-03T04:05:06+09:00", "10:20", "Feb 3", "Sat Aug 28 02:55:00 2000 PST", "12:30:40.5 EST", "Thu, 01 Jan 1970 00:00:00 GMT", "2001-02-03 04:05:06 -0000", "20010203T040506", "2001-034", "10 pm", "2001"].each do |text|
  t = Time.parse(text, now)
  p [text, t, t.utc_offset, t.usec, t.utc?]
rescue ArgumentError => e
  p [text, e.class, e.message]
end
["", "garbage", "2001-13-45", "25:61"].each { |text| Time.parse(text, now).then { |t| p t } rescue p [text, $!.class, $!.message] }
p Time.strptime("2001-02-03 04:05:06", "%Y-%m-%d %H:%M:%S"), Time.strptime("981173106", "%s").utc, Time.strptime("03/Feb/2001:04:05:06 +0900", "%d/%b/%Y:%H:%M:%S %z"), Time.strptime("2001-034", "%Y-%j")
begin; Time.strptime("x", "%Y"); rescue => e; p e; end
p Time.iso8601("2001-02-03T04:05:06Z"), Time.xmlschema("2001-02-03T04:05:06.789+09:00"), Time.rfc2822("Sat, 3 Feb 2001 04:05:06 +0900"), Time.httpdate("Sat, 03 Feb 2001 04:05:06 GMT"), Time.iso8601("2001-02-03T04:05:06.5-03:00").subsec
%i(iso8601 rfc2822 httpdate).each { |name| Time.send(name, "nonsense") rescue p $! }
t = Time.utc(2001, 2, 3, 4, 5, 6, 789000)
p t.iso8601, t.iso8601(3), t.xmlschema(6), t.rfc2822, t.httpdate, t.getlocal("+09:00").iso8601, t.getlocal("+09:00").rfc2822, t.getlocal("-03:30").httpdate
p Time.zone_offset("EST"), Time.zone_offset("+0900"), Time.zone_offset("JST"), Time.zone_offset("A"), t.to_date, t.to_datetime, t.to_time
