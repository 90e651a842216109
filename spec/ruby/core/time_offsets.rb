# Offsets that are no whole number of seconds.
def show(time) = p([time, time.utc_offset, time.sec, time.subsec, time.hour, time.strftime("%z %::z %H:%M:%S.%N"), time.getutc])
noon = Time.utc(2007, 1, 9, 12)
[Rational(7201, 2), Rational(-7201, 2), 3600.25, 3665.5, Rational(7201, 3), 3600].each do |offset|
  show noon.getlocal(offset)
  show noon.dup.localtime(offset)
  show Time.new(2007, 1, 9, 13, 0, 0, offset)
  show Time.new(2007, 1, 9, 13, 0, Rational(1, 2), offset) + Rational(1, 4)
end
p noon.getlocal(Rational(7201, 2)) == Time.new(2007, 1, 9, 13, 0, Rational(1, 2), Rational(7201, 2))
begin
  noon.getlocal(86_400.5)
rescue => e
  p e
end
