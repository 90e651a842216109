# What monitoring agents ask of MRI, the order of the environment, BigDecimal's `inspect`, old marshalled Dates.
p RubyVM.stat.keys, RubyVM.stat(:class_serial).class, RubyVM.stat({ a: 1 }).keys
[:x, 5].each { |key| RubyVM.stat(key) rescue p $! }
ENV["ZZ_B"] = "1"
ENV["ZZ_A"] = "2"
ENV["ZZ_B"] = "longer"
p ENV.keys.grep(/ZZ/)
ENV.delete("ZZ_B")
ENV["ZZ_B"] = "3"
p ENV.keys.grep(/ZZ/), ENV.to_h.keys.grep(/ZZ/)
require "bigdecimal"
module Plain
  def to_s(format = "F") = super
end
BigDecimal.prepend(Plain)
p BigDecimal("12.34")
puts BigDecimal("12.34").to_s
require "date"
[
  "\x04\x03u:\x01\x04Date\x01\v\x04\x03[\x01\x02i\x03\xE8i%T", "\x04\x06u:\tDate\x0F\x04\x06[\ai\x03\xE8i%T",
  "\x04\bu:\tDateP\x04\b[\bo:\rRational\a:\x0F@numeratori\x03\xCF\xD3J:\x11@denominatori\ai\x00o:\x13Date::Infinity\x06:\a@di\xFA",
].each do |text|
  $VERBOSE = nil
  date = Marshal.load(text)
  p date, date.ajd, date.start
end
p IO::SEEK_DATA, IO::SEEK_HOLE
