# The encoding of a source: a magic comment's, else that of the String given to eval.
def t(code)
  p eval(code)
rescue SyntaxError, StandardError => e
  puts "#{e.class}: #{e.message.lines.first}"
end
["__ENCODING__", '["a".encoding, "\x61".encoding, "\xE9".encoding, "\u00e9".encoding, :a.encoding]', '["a#{"b"}c".encoding, "#{1}".encoding, "#{"x".b}".encoding, "#{"x".b}a".encoding, <<A.encoding]' + "\nx\#{1}\nA\n", "/a/.encoding", "'x'.frozen?"].each do |code|
  %w[US-ASCII ASCII-8BIT UTF-8 Big5 ISO-8859-9 EUC-JP].each do |name|
    t code.dup.force_encoding(name)
    t "# coding: #{name}\n#{code}"
    t "# -*- mode: ruby; coding: #{name.downcase} -*-\n#{code}"
  end
end
t "# vim: set fileencoding=big5 :\n__ENCODING__"
t "#!/usr/bin/ruby\n# encoding: big5\n__ENCODING__"
t "\n# encoding: big5\n__ENCODING__"
t "a = 1 # encoding: big5\n__ENCODING__"
t "# frozen_string_literal: true\n# encoding: big5\n[__ENCODING__, 'x'.frozen?]"
t "# encoding: ISO-8859-1\n'\xE9'.encode('UTF-8')".b
x = "é"
b = "\xff".b
u = "x".encode("US-ASCII")
p ["#{1}", "#{u}", "#{u}a", "a#{u}", "#{1}#{u}", "#{1}#{x}", "#{b}", "#{"x".b}a", "#{"x".b}é", "a#{"x".b}", "#{nil}#{b}", "a#{b}", "#{"".b}a", "#{u}#{"y".encode("Big5")}"].map(&:encoding)
