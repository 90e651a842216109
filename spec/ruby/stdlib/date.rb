require "date"
texts = ["2000-01-02T10:20:30+09:00", "Sat Aug 28 02:55:00 2000 PST", "10:20pm", "20010203T040506Z", "3rd Feb 2001 04:05:06 PM", "H13.02.03", "2001-W05-6", "2001-034", "jan 5 99 bc", "1/2/3", "23",
  "20.5.2001", "Feb", "-w05-6", "12:30:40.123456 UTC+3", "--02-03", "99-1-2", "1 Jan '99", "20010203040506.789+0900", "xxx", "5 march", "3.4.5", "010203", "thu 10:11 EST5EDT", "2001-02-03 24:00",
  "Thu, 01 Jan 1970 00:00:00 GMT", "2020-02-30", "Jan-5-2001", "5-Jan-2001", "2001/2/3 4:5:6", "10h20m30s", "3 pm", "Mon", "12/25/2001", "2001-02-03T04:05:06.789Z", "20010203", "2001034", "Aug 5", "5th", "0506",
  "Tuesday, 3 Feb 2001 10:00 Eastern Standard Time", "1999-12-31 23:59:59 -0330", "Jan 2 10:11:12 2003", "2021-11-05 13:14:15 UTC", "2003-4-5 6:07", "May 5 2010 12:00:00 AM", "Nov 11 11:11:11 2011 GMT", "19991231T235959-0800"]
texts.each { |text| p [text, Date._parse(text)] }
texts.each do |text|
  puts [text, (Date.parse(text).inspect if text =~ /\d{4}.*\d/), (DateTime.parse(text).to_s if text =~ /\d{4}.*:/)].inspect
rescue Date::Error => e
  puts "#{text}: #{e.class} #{e.message}"
end
puts [Date._iso8601("2001-W05-6T10:11:12Z"), Date._rfc3339("2001-02-03T04:05:06.5+09:00"), Date._xmlschema("2001-02"), Date._rfc2822("Sat, 3 Feb 2001 00:00:00 +0000"), Date._httpdate("Sat, 03 Feb 2001 00:00:00 GMT")].map { |each| each.sort.inspect }
p Date._jisx0301("H13.02.03T01:02:03"), Date._httpdate("Saturday, 03-Feb-01 00:00:00 GMT"), Date._httpdate("Sat Feb  3 00:00:00 2001"), Date._xmlschema("10:20:30Z"), Date._strptime("2001-02-03 xx", "%Y-%m-%d")
d = Date.new(2024, 2, 29)
p d, d + 1, d - 1, d >> 12, d << 1, d.next_year, d.prev_month(3), d.yday, d.cwday, d.cweek, d.cwyear, d.wday, d.jd, d.mjd, d.ajd, d.amjd, d.ld, d.leap?, d.thursday?
p d - Date.new(2024, 1, 1), d == DateTime.new(2024, 2, 29), d === DateTime.new(2024, 2, 29, 12), d <=> Date.new(2025), d.eql?(Date.new(2024, 2, 29)), d.hash == Date.new(2024, 2, 29).hash
p (d..d + 3).map(&:day), d.step(d + 10, 5).map(&:to_s), d.upto(d + 2).to_a.size, d.downto(d - 2).map(&:mday), (d...d + 3).include?(d + 2)
p Date.valid_date?(2023, 2, 29), Date.valid_date?(2023, 2, -1), Date.new(2023, -1, -1), Date.valid_ordinal?(2024, 366), Date.valid_commercial?(2020, 53, 1), Date.ordinal(2024, 60), Date.commercial(2020, 53, 5), Date.jd(2460000)
[[2023, 2, 29], [2023, 13, 1], [1582, 10, 10]].each { |args| Date.new(*args) rescue p $! }
p Date.new(1582, 10, 4) + 1, Date.new(1582, 10, 15).julian?, Date.new(2001, 2, 3).julian.to_s, Date.new(2001, 2, 3, Date::JULIAN).gregorian.to_s, Date.new(-1, 1, 1).to_s, Date.new(10000, 1, 1).to_s
p d.strftime("%Y/%m/%d %a %A %b %B %j %U %W %V %G %u %w %e %-d %y %C %s %Q %+ %% %x %X %c %D %F %T %Z %z %:z %L %N"), d.iso8601, d.rfc2822, d.httpdate, d.rfc3339, d.jisx0301, d.asctime, d.xmlschema
dt = DateTime.new(2001, 2, 3, 4, 5, 6.789r, "+7")
p dt, dt.hour, dt.min, dt.sec, dt.sec_fraction, dt.offset, dt.zone, dt.new_offset("-03:00"), dt.to_time.utc, dt.to_date, dt.iso8601(3), dt.strftime("%L %N %3N %s"), dt + Rational(1, 24), dt - DateTime.new(2001, 2, 3), dt.day_fraction
p DateTime.parse("2001-02-03T04:05:06+09:00").to_time.getutc, Time.utc(2001, 2, 3, 4, 5, 6).to_datetime, Time.utc(2001, 2, 3).to_date, d.to_time.class, d.to_datetime
p Date.strptime("03/02/2001", "%d/%m/%Y"), Date.strptime("2001-034", "%Y-%j"), Date.strptime("2001-W05-6", "%G-W%V-%u"), Date.strptime("2001 04 6", "%Y %U %w"), DateTime.strptime("2001-02-03T04:05:06+09:00", "%Y-%m-%dT%H:%M:%S%z"), DateTime.strptime("981173106", "%s")
begin; Date.strptime("x", "%Y"); rescue => e; p e; end
begin; Date.parse("garbage"); rescue => e; p e; end
begin; Date.parse("1" * 200); rescue => e; p e; end
begin; Date.new("x"); rescue => e; p e; end
p Date.new(2001, 2, 3).frozen?, Marshal.load(Marshal.dump(dt)) == dt, Date::MONTHNAMES[1], Date::ABBR_DAYNAMES, Date::Error.ancestors[1], Date.new.to_s, DateTime.new.to_s, Date.gregorian_leap?(1900)
p [Date.new(2001), Date.new(2000)].min, Date.new(2001, 1, 31) >> 1, Date.new(2001, 3, 31) << 1, Date.new(2001, 2, 3) + 0.5, DateTime.new(2001, 2, 3) + 0.5, d.saturday?, (d + nil rescue $!), (d < 3), (d == nil)
