# Subclasses with an `initialize` of their own are loaded without it.
class Span < Range
  def initialize(label, *rest)
    super(*rest)
  end
end
class Pattern < Regexp
  def initialize(label, *rest)
    super(*rest)
  end
end
span = Marshal.load(Marshal.dump(Span.new(:x, 4, 8, true)))
p span, span.class
pattern = Marshal.load(Marshal.dump(Pattern.new(:x, "a(b)", Regexp::IGNORECASE)))
p pattern, pattern.class, pattern.match("AB")[1]
p Marshal.load("\x04\b/\x0b\\u\\a\\y\x00"), Marshal.load(Marshal.dump(/a\u3042/))
Object.const_set("R\xe9".dup.force_encoding("ISO-8859-1"), 1)
p Object.const_get("R\xe9".dup.force_encoding("ISO-8859-1"))
p Marshal.load(Marshal.dump(1..2)).frozen?, Marshal.load(Marshal.dump(Span.new(:x, 1, 2))).frozen?
[%(\x04\bC:\vString/\x06a\x00), Marshal.dump(1..2).sub("i\x07", %(I"\x06a\x06:\x06ET))].each do |data|
  Marshal.load(data)
rescue ArgumentError => error
  puts error.message
end
