# What comes first: the conversion of the argument, or the check that the String is not frozen.
class Text
  def to_str
    puts "converted"
    "x"
  end
end
frozen = "a".freeze
[nil, 1, -1, "", Text.new, 2**70, 0xD800, :a, 1.5].each do |value|
  frozen << value
rescue TypeError, FrozenError, RangeError => error
  puts "#{value.class} #{error.class}: #{error.message}"
end
[[:concat, nil], [:concat, "b", nil], [:prepend, nil], [:insert, 0, nil], [:replace, nil]].each do |name, *arguments|
  frozen.send(name, *arguments)
rescue TypeError, FrozenError => error
  puts "#{name} #{error.class}: #{error.message}"
end
p "a".b << 255, ("a".force_encoding("US-ASCII") << 200).encoding, "a" << 0x20AC
late = Class.new { define_method(:to_str) { $late.freeze; "x" } }
$late = +"b"
begin
  $late << late.new
rescue FrozenError => error
  puts error.message
end
