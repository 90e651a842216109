# A Regexp of bytes in a Regexp literal makes that one of bytes too.
bytes = Regexp.new('([\x00-\xFF])', Regexp::IGNORECASE | Regexp::NOENCODING)
within = /(u\(([!#$%]|#{bytes})*)/i
p within, within.encoding, within.fixed_encoding?
p within =~ "u(!a", within =~ "u(!\xE9".b
p((within =~ "u(!\u00e9" rescue $!.class))
p(/#{bytes}e/n.encoding, /#{/[\x80-\xff]/n}/.encoding)
ascii = Regexp.new('[a-z]', Regexp::NOENCODING)
p(/#{ascii}\u3042/.encoding, /#{ascii}x/.encoding)
p((Regexp.new("x#{bytes}") rescue $!.class))
