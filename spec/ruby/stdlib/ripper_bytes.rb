# Bytes that are no characters, in comments and texts.
require "ripper"
["# \xff\xfe é\nfoo # \x80", "'\xff'", "a = \"x\xc3\"\nb", "=begin\n\xff\n=end\nc\n", "%w[\xff a]"].each do |text|
  p Ripper.lex(text).map { |place, kind, token, _| [place, kind, token] }
end
