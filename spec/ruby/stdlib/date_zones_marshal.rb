# Zones by their full names, dates that are marshalled, what is read when no text is given.
require "date"
p Date.new(-5000, 1, 1).marshal_dump, Date.new(10**9, 1, 1).marshal_dump, DateTime.new(2020, 1, 2, 3, 4, Rational(11, 2), "+9").marshal_dump
day = Date.new + 1/2r + 2304/65437r/86400
p day.marshal_dump, Marshal.load(Marshal.dump(day)), Marshal.load(Marshal.dump(Date.new(2001, 1, 1, Date::JULIAN))).start
p Marshal.load("\x04\bU:\tDate[\bU:\rRational[\ai\x03\xCF\xD3Ji\ai\x00o:\x13Date::Infinity\x06:\a@di\xFA")
p Float::INFINITY <=> Date::Infinity.new, Date::Infinity.new <=> Float::INFINITY, -Date::Infinity.new <=> -Float::INFINITY, Date::Infinity.new <=> 1.0
["Mexico Standard Time", "E. Australia Daylight Time", "Eastern", "arabian dst", "jst", "acwst", "Nowhere Standard Time"].each { |zone| p Date._parse("10:00 #{zone}"), Date._strptime(zone, "%Z") }
p Date._parse("2/5--1999"), Date._parse("5/ 2"), Date._parse("--12-24")
%i(iso8601 rfc3339 xmlschema rfc2822 rfc822 httpdate jisx0301).each { |name| p Date.public_send(name), DateTime.public_send(name) }
p((DateTime.parse("2001-03-01T23:59:60") rescue $!.class), (DateTime.parse("2001-03-01T23:59:61") rescue $!.class))
p (Date.new(2004, 9, 19) + 1/2r).to_date.day_fraction, DateTime.new(2004, 9, 19, 12).to_date.day_fraction, Date.new(2001).inspect.encoding
p((Date.new(2001).freeze.marshal_load([0, 1, 2, 3, 4, 5]) rescue $!.class))
