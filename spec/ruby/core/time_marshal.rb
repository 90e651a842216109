# Marshal's bytes of a Time, and what comes back.
times = [
  Time.at(0, 123456789, :nsec, in: "+01:00"), Time.at(0).utc, Time.at(0), Time.at(1.5), Time.at(Rational(1, 3)),
  Time.utc(1800), Time.utc(100000, 5, 6), Time.at(0, in: "-00:00"), Time.at(1, 1000, :nsec), Time.utc(-5),
  Time.at(0, 120, :nsec, in: "Z"), Time.at(0, in: "+01:02:03"), Time.at(0, 123450, :nsec)
]
times.each do |time|
  bytes = Marshal.dump(time)
  back = Marshal.load(bytes)
  p bytes, time, back, back.zone, back.utc_offset, back == time, time.send(:_dump).instance_variables
end
tagged = Time.at(0)
tagged.instance_variable_set(:@tag, [1])
p Marshal.dump(tagged), Marshal.load(Marshal.dump(tagged)).instance_variable_get(:@tag)
class Moment < Time; end
p Marshal.load(Marshal.dump(Moment.at(5).utc)).class
ENV["TZ"] = "Europe/Paris"
p Marshal.dump(Time.at(0)), Marshal.load(Marshal.dump(Time.at(0))).zone
p Marshal.load("\x04\bu:\tTime\r\xD0\xA6\e\x80\xD0\x01\r\xE7".b).utc
p Time.send(:_load, [100, 7].pack("VV")).utc
begin
  Time.send(:_load, "short")
rescue TypeError => error
  puts error.message
end
p Time.private_instance_methods(false).grep(/dump/), Time.respond_to?(:_load)
