# What reads times from text answers an object of the class that it is asked of.
require "time"
class Moment < Time; end
p Moment.parse("2007-11-01T15:25:00+00:00"), Moment.parse("2007-11-01T15:25:00+02:00").class, Moment.parse("2007-11-01 15:25").class
p Moment.iso8601("2007-11-01T15:25:00Z").class, Moment.xmlschema("2007-11-01T15:25:00+01:00").utc_offset, Moment.strptime("2007", "%Y").class
p Moment.httpdate("Sun, 06 Nov 1994 08:49:37 GMT"), Moment.rfc2822("Sun, 06 Nov 1994 08:49:37 +0200").class
p Moment.iso8601("2007-11-01T15:25:00.123456789Z").nsec
p Time.parse("2007-12-31T23:30:15.25-01:00").utc, Time.iso8601("2008-02-29T00:00:00.5+14:00").utc, Time.rfc2822("Sun, 31 Dec 2006 23:59:60 +0000")
