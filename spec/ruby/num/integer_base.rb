# Integer with a base: 0 says nothing of values that are no Strings.
class Text; def to_str = "0x1f"; end
class Both; def to_str = "7"; def to_int = 3; end
class Number; def to_i = 5; end
[1.5, 2, 2**70, 1r, nil, [], "0x1f", "12", Text.new, Both.new, Number.new, Object.new, Float::NAN].each do |value|
  [nil, 0, 2, 10, 16].each do |base|
    shown = value.is_a?(Numeric) || value.is_a?(String) ? value : value.class
    [true, false].each do |raises|
      puts "#{shown} #{base.inspect} #{raises}: #{begin; Integer(value, base, exception: raises).inspect; rescue => error; "#{error.class}: #{error.message}"; end}"
    end
  end
end
p Integer(Text.new) rescue p $!.class
p Integer(Both.new)
