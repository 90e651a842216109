require_relative "common"
r = Recorder.new("encoding")
srand 3
Encoding.list.each { |e| (e.names - %w[locale external filesystem]).each { |n| r.rec("names", n.swapcase) { [e.name, e.dummy?, e.ascii_compatible?].join(" ") } } }
pieces = ["a", "z", "\"", "\\", "#", "\#{", "\#$", "\#@", "\n", "\e", "\x7f", "\x00", "\x80", "\x8e", "\x8f", "\xa1", "\xc2", "\xe3\x81", "\xe3\x81\x82", "\xed\xa0\x80", "\xf0\x9f\x98\x80", "\xf0\x9f", "\xf4\x90\x80\x80", "\xff", "\xfe", "\xff\xfe", "\xfe\xff", "\xd8\x00", "\xdc\x00", "\x00\xd8", "\x00\xdc", "\x00a", "a\x00", "\xa4\xa2", "\x82\xa0", "0", "9", "\x81\x30\x81\x30", "\xe2\x80\xa8", "\xc2\xad", "\xcd\xb8", "\x00\x00\x00a", "\xe9"].map(&:b)
strings = pieces + Array.new(260) { Array.new(1 + rand(5)) { pieces.sample }.join.b } + [""]
encs = %w[UTF-8 ASCII-8BIT US-ASCII UTF-16LE UTF-16BE UTF-32LE UTF-32BE UTF-16 UTF-32 ISO-8859-1 Windows-1252 EUC-JP Shift_JIS Windows-31J GBK GB18030 Big5 EUC-KR EUC-TW CP949 CESU-8 Emacs-Mule UTF-7 ISO-2022-JP KOI8-R]
encs.each do |e|
  (%w[UTF-8 US-ASCII ASCII-8BIT UTF-16LE UTF-16BE].include?(e) ? strings : strings.first(110)).each do |b|
    next if e == "UTF-16" && !b.start_with?("\xfe\xff".b) || e == "UTF-32"
    s = b.dup.force_encoding(e)
    h = s.b
    r.rec("valid", e, h) { s.valid_encoding? }
    r.rec("chars", e, h) { s.chars.map { |c| c.b.unpack1("H*") }.join(",") }
    r.rec("length", e, h) { s.length }
    r.rec("inspect", e, h) { s.inspect.b }
    r.rec("dump", e, h) { s.dump.b }
    r.rec("scrub", e, h) { s.scrub.b } unless %w[UTF-16 UTF-32 UTF-7 ISO-2022-JP].include?(e)
    r.rec("ord", e, h) { s.ord } unless b.empty?
    r.rec("symbol", e, h) { s.to_sym.inspect.b } if s.valid_encoding? && s.encoding.ascii_compatible? && !s.encoding.dummy?
  end
end
codes = [0, 0x41, 0x7f, 0x80, 0xe9, 0xff, 0x100, 0x20ac, 0x3042, 0xa4a2, 0x82a0, 0xd800, 0xffff, 0x10000, 0x1f600, 0x10ffff, 0x110000, 0x8fa2af, 0x81308130, 2**32 - 1, 2**32]
encs.each { |e| codes.each { |c| r.rec("chr", e, c) { c.chr(e).b } } }
utf8 = ["a", "\u00e9", "\u20ac", "\u3042", "\u{1f600}", "a\u00e9<&\">\r\n\u20ac\n", "\u0416", "\u00a5", "\u2014", "\u8336", "\uac00", "\ufffd", "\u0081", "", "\u4e00\u4e8c", "\u00ff", "\u0152"]
targets = Encoding.list.map(&:name) - %w[UTF8-MAC IBM037 UTF8-DoCoMo UTF8-KDDI UTF8-SoftBank SJIS-DoCoMo SJIS-KDDI SJIS-SoftBank ISO-2022-JP-KDDI stateless-ISO-2022-JP CP50220 CP50221 ISO-2022-JP-2 EUC-JIS-2004 Big5-UAO GB12345 ISO-2022-JP Emacs-Mule EUC-TW CP950 CP951 UTF-7 MacJapanese stateless-ISO-2022-JP-KDDI]
targets.each do |e|
  # The CJK tables are encoding_rs: compare what all tables share.
  wide = e =~ /JP|JIS|31J|51932|Big5|GB|KR|949/i
  utf8.each { |s| next if wide && s =~ /[\u0081-\u2014\u3042\u20ac]/; r.rec("encode", "UTF-8", e, "", s.b) { s.encode(e).b } }
end
broken = ["\xe9", "a\xe9b", "a\xe9", "a\xe3\x81b", "a\xe3\x81", "\xff", "\x80", "\xed\xa0\x80", "\xf4\x90\x80", "\xf0\x9f\x98", "\xf0\x9f\x98\xf0", "\xc0\x80", "\x00\xd8", "\x00\xd8a\x00", "\x00\xdca\x00", "\xd8\x00", "\xd8\x00\x00a", "\xdc\x00\x00a", "\x81", "\xa4", "\xa4\x20", "\x8f\xa2", "\x8f\xa2\xff", "abc", "\x00\x00\xd8\x00", "\x00\x11\x00\x00", "\xff\xfea\x00", "\xfe\xff\x00a", "\x82\xa0", "\xa4\xa2", "\x81\x30\x81", "\xe3\x81\x82\xff"].map(&:b)
%w[UTF-8 ASCII-8BIT US-ASCII UTF-16LE UTF-16BE ISO-8859-1 Windows-1252 EUC-JP].each do |from|
  %w[UTF-8 UTF-16LE ISO-8859-1 US-ASCII ASCII-8BIT Windows-1250].each do |to|
    next if from == to && from == "UTF-16LE"
    broken.each do |b|
      r.rec("encode", from, to, "", b) { b.encode(to, from).b }
      r.rec("encode", from, to, "ir", b) { b.encode(to, from, invalid: :replace, undef: :replace).b }
      r.rec("encode", from, to, "irq", b) { b.encode(to, from, invalid: :replace, undef: :replace, replace: "<q>").b }
    end
  end
end
opts = { "xt" => { xml: :text }, "xa" => { xml: :attr }, "nu" => { universal_newline: true }, "nc" => { crlf_newline: true }, "nr" => { cr_newline: true }, "r" => { undef: :replace } }
["UTF-8", "ISO-8859-1", "UTF-16LE", "US-ASCII"].each { |to| opts.each { |k, o| (utf8 + ["a\r\nb\rc\n\r", "\r"]).each { |s| r.rec("encode", "UTF-8", to, k, s.b) { s.encode(to, **o).b } } } }
%w[UTF-8 ASCII-8BIT US-ASCII UTF-16LE EUC-JP ISO-8859-1].product(%w[UTF-8 ASCII-8BIT US-ASCII UTF-16LE EUC-JP ISO-8859-1]).each do |a, b|
  ["", "a", "\xa4\xa2"].product(["", "a", "\xa4\xa2"]).each do |x, y|
    r.rec("compatible", a, x, b, y) { (Encoding.compatible?(x.dup.force_encoding(a), y.dup.force_encoding(b)) || "nil").to_s }
  end
end
["a", "a b", "a?", "a!", "a=", "a?=", "a!=", "A", "A?", "A=", "@a", "@a=", "@", "@@", "@@a", "@1", "$a", "$", "$1", "$12", "$01", "$0", "$-w", "$-", "$-ww", "$~", "$_", "$$", "$+", "$'", "$ ", "$a?", "[]", "[]=", "[]?", "+", "+@", "-@", "!", "!@", "~@", "~", "!=", "!~", "=", "==", "===", "=~", "=>", "<", "<=", "<=>", "<<", "<<=", ">", ">=", ">>", "&", "&&", "|", "||", "^", "%", "*", "**", "/", "`", "", "1a", "a-b", "a.b", "nil", "class", "_", "_1", "é", "é=", "É?", "\u3042", "\u2028", "a\n", "a\0", "\"", "a\u200b", "$é", "$-é", "@é", "..", "::", "a::b", "->", "()", "{}", "a[]", "Foo::Bar", "foo bar=", "\e"].each { |s| r.rec("symbol", "UTF-8", s) { s.to_sym.inspect.b } }
dumps = strings.first(80).flat_map { |b| %w[UTF-8 UTF-16LE ASCII-8BIT].map { |e| b.dup.force_encoding(e).dump } } + ['"', '""', 'a', '"a', '"\\', '"\\"', '"\\u"', '"\\u{"', '"\\u{41 42}"', '"\\u{110000}"', '"\\ud800"', '"\\x4"', '"\\xG"', '"\\u0041\\x41"', '"\\x41\\u0041"', '"a".dup', '"a".force_encoding("UTF-16LE")', '"a".force_encoding("x")', '"a".force_encoding("UTF-16LE"', '"a".force_encoding("UTF-16LE', '"\\u0041".force_encoding("UTF-8")', '"\\q"', '"a"b', '"a" ', "\"\u00e9\"", "\"\\n\\\#{\"", '"\\u{}"', '"\\u{41', '"\\1"', '"a".dup.force_encoding("UTF-16BE")', "\"\0\"", '"\\u{1234567}"']
dumps.each { |d| r.rec("undump", d.encoding, d) { u = d.undump; "#{u.encoding}:".b + u.b } }
