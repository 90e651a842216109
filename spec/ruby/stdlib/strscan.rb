require "strscan"
def t; yield; rescue Exception => e; e; end
s=StringScanner.new("foo"); s.scan(/(f)(x)?/); p s.captures, s[2], s.values_at(0,5,-1)
s=StringScanner.new("héé"); p s.getch, s.getch, s.pos, s.charpos, s.get_byte, s.peek(1), s.pre_match, s.matched
s=StringScanner.new("ab\ncd"); s.scan(/ab/); p s.scan(/^\n/), s.bol?, s.scan(/\Ac/), s.check(/d\z/)
s=StringScanner.new("ab\ncd", fixed_anchor: true); p s.scan(/ab/), s.scan(/\A\n/), s.scan_until(/c/), s.pre_match, s.matched, s.post_match
p s.inspect; p t{s.pos=99}, t{s.scan}
s=StringScanner.new("abc"); p s.scan_full(/a/,true,false), s.search_full(/c/,false,true), s.pos; s<<"def"; p s.string, s.rest, s.rest_size; s.string="x"; p s.pos; p s.dup.pos
p StringScanner.allocate
p t{StringScanner.allocate.scan(/a/)}
p t{StringScanner.new(1)}, t{s.peek(-1)}
p s[1.5], s.matched?,t{s[:a]}; s.scan("x"); p t{s[:a]}
p StringScanner.must_C_version,StringScanner::Id;s.getbyte; s.empty?
p t{StringScanner.new("\xff").scan(/a/)}, t{StringScanner.new("é").scan("\xff".b)}
p t{s.pos=-1}, s.pos, s.terminate.equal?(s), s.rest, s.eos?, s.scan(//), s.getch, s.beginning_of_line?
s=StringScanner.new("test"); s.scan(/x/); p t{s.unscan}, s.size, s.captures, s.values_at(1), s.matched_size, s.pre_match
s=StringScanner.new("aaa bbb"); p s.skip(/a+/), s.match?(/\s/), s.skip_until(/b/), s.exist?(/b/), s.check_until(/b/), s.rest?, s.pos
p s
s=StringScanner.new("x\n"*20); s.pos=11; p s
s=StringScanner.new("abc"); s.string.replace(""); s.pos rescue p $!; p s.rest, s.eos?
s = StringScanner.new("abc"); s.getch; s.reset; p s.pos, s.matched?; s.scan_until(/(b)/); p s.pre_match, s.matched, s.post_match, s[1], s.size
s = StringScanner.new("a,b"); p t{s.scan(nil)}, t{s.scan_until(",")}, t{s.scan_full(/a/)}
# in the middle of a character the bytes that are left of it count as characters, which only negated classes have
s = StringScanner.new("¦abc,é日x")
p s.get_byte, s.scan(/.*?(?=[ \t]*(,|$))/), s.pos, s.scan(/,/), s.get_byte, s.scan(/./), s.get_byte
p s.check(/\p{Han}/), s.check(/\w/), s.check(/[^x]/), s.check(/\W/), s.check(/.+/), s.check_until(/x/), s.exist?(/x/), s.match?(/\A./), s.check(/\s*/)
