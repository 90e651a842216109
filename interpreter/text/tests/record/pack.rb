require_relative "common"
require "shellwords"; require "cgi"; require "erb"; require "uri"; require "did_you_mean"
r = Recorder.new("pack")
srand 4
hexed = ->(s) { s.encoding.to_s + ":" + s.b.unpack1("H*") }
ints = [0, 1, -1, 127, 128, 255, 256, 32767, 65535, 65536, 2**31, 2**32, -2**31, 2**63, 2**64 - 1, -2**63, 2**70, -(2**70)]
%w[c C s S i I l L q Q j J n N v V s> S< i> l> L> q> Q< j> l! L! l_ L!> s_ I!< U w].each { |d| ints.each { |n| r.rec("packi", d, n) { hexed[[n].pack(d)] } }; %w[2 * 0 3].each { |c| r.rec("packi", d + c, 1, 2) { hexed[[1, 2].pack(d + c)] } } }
fl = [0.0, -0.0, 1.5, 3.14159, 1e300, -1e-300, Float::INFINITY]
%w[D d F f E e G g d2 e*].each { |d| fl.each { |x| r.rec("packf", d, [x].pack("G").unpack1("H*")) { hexed[[x].pack(d)] } } }
strs = ["", "a", "abc", "hello world", "10101", "1f2E", "\u3042b", "a=b\tc \n\xe9", "x" * 80, "trailing \nnext", "\x00\x01z", "zz9"]
%w[A a Z B b H h u m M].each { |d| ["", "3", "*", "0", "12", "60"].each { |c| strs.each { |s| r.rec("packs", d + c, s.b) { hexed[[s].pack(d + c)] } } } }
["a2x2a", "a5X2a*", "a@4a", "@3a", "x*a", "X a", "a X5", "a*a*a*", "a # note\n a", "a2 a2", "y", "a<", "s<>", "A99999999999999999999", "a*U", "U a", "a!", "C a"].each { |t| r.rec("packs", t, "abc", "def") { hexed[%w[abc def].pack(t)] } }
data = ["", "a", "abcdefgh", "\xff\xfe\xfd\xfc\xfb\xfa\xf9\xf8", "ab  \0\0", "a\0b\0", "\u3042\u00e9a".b, "\x81\x01\x7f\x80", "aGVsbG8=\n", "#86)C\n`\n", "a=3Db=\nc=E9=zz", "\x3f\xc0\x00\x00\x00\x00\x00\x00", "\xe3\x81"].map(&:b)
%w[c C s S i I l L q Q j J n N v V s> l> q> Q> L!> D d F f E e G g U w A a Z B b H h u m M m0 x X @].each { |d| ["", "2", "*", "3"].each { |c| next if d == "m0" && c != ""; data.each { |s| r.rec("unpack", d + c, s, 0) { s.unpack(d + c).map { |v| v.is_a?(String) ? hexed[v] : v.inspect }.join(",") } } } }
["a2x2a2", "@2a2", "a X2 a", "x9", "@99", "C*a", "nC2", "a3 # c\nC", "Z*Z*", "A2A*", "B3C", "a0a", "N n"].each { |t| data.each { |s| r.rec("unpack", t, s, 0) { s.unpack(t).map { |v| v.is_a?(String) ? hexed[v] : v.inspect }.join(",") } } }
[0, 1, 3, 8, 9].each { |o| r.rec("unpack", "a2C", "abcdefgh", o) { "abcdefgh".unpack("a2C", offset: o).map { |v| v.is_a?(String) ? hexed[v.b] : v.inspect }.join(",") } }
esc = ["", "a b", "it's", "a\nb", "\u00e9 x", "a&b=c", "~*-._!'()", "100%", "/path?x=1#y", "<a href=\"x\">'&'</a>", "+%20", "$HOME `x` \\", "a,b:c@d+e", "[x]{y}|^"]
esc.each { |s| r.rec("shellescape", s) { s.shellescape }; r.rec("cgi", s) { CGI.escape(s) }; r.rec("html", s) { CGI.escapeHTML(s) }; r.rec("url", s) { ERB::Util.url_encode(s) }; r.rec("www", s) { URI.encode_www_form_component(s) }; r.rec("uri", s) { URI::DEFAULT_PARSER.escape(s) } }
["a b c", " a  'b c' \"d\\\"e\" f\\ g", "'x", "\"x", "a\\", "''", "", "a''b", "\"a\\nb\"", "x=\"1 2\"y", "a\\\nb", "'it'\\''s'", "\"\\$x\\`\"", "a\tb\nc", "\u00e9 'x y'"].each { |s| r.rec("shellsplit", s) { s.shellsplit.map { |w| "<#{w}>" }.join } }
["a+b%20c", "%E3%81%82", "%zz%4", "%", "a%2Fb", "100%25"].each { |s| r.rec("uncgi", s) { CGI.unescape(s) }; r.rec("unwww", s) { URI.decode_www_form_component(s) }; r.rec("unuri", s) { URI::DEFAULT_PARSER.unescape(s) } }
["&lt;a&gt;", "&amp;lt;", "&#39;&#x41;&#65;", "&foo;", "&", "&#xzz;", "&quot;&apos;", "a & b;", "&#12354;"].each { |s| r.rec("unhtml", s) { CGI.unescapeHTML(s) } }
dict = %w[email eval fail length size each each_with_index select reject map file_name filename user_name username first last @name name template package service include_recipe notifies subscribes not_if only_if]
%w[emial evl fial lenght sizee eahc each_with_indx slect filenam usrname nmae frist tempalte pacakge servce incldue_recipe notify subscribe notif xyz e na username Name].each { |w| r.rec("correct", w) { DidYouMean::SpellChecker.new(dictionary: dict).correct(w).join(" ") } }
["hello", "", "\u00e9", "x" * 5000].each { |s| [16, 8, 0, 32].each { |b| r.rec("sum", s, b) { s.sum(b) } } }
["\u00e9", "e\u0301", "\ufb01", "\uac00", "\u1100\u1161", "abc", "\u212b"].each { |s| %w[nfc nfd nfkc nfkd].each { |f| r.rec("normalize", s, f) { s.unicode_normalize(f.to_sym) } } }
