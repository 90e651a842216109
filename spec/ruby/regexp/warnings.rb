# What is warned of in patterns, with and without -w.
PATTERNS = [
  "[aa]", "[a-cb]", "[[:alpha:]a]", "[\\w_]", "[\\d0]", "[a\\W]", "[é\\D]", "[a&&a]", "[aa&&bb]", "[[ab]a]", "[a[^b]]", "[aa][bb]",
  "[い-んあ-う]", "[あ-うい-ん]", "[いあ-ん]", "[ \\s]", "[^aa]", "[A-z_]",
  "\\y", "[\\y]\\j", "\\k", "\\g\\k\\k(a)", "[\\k]", "\\pa", "[\\P]", "\\_\\-",
  "[a-c-e]", "[]a]", "]", "a]b", "[--]", "[-a]",
  "a**", "a+*", "(?:a*)*", "(?:a+)?", "(?:a?)+?", "(?:a*)??", "(?:a??)+", "(?:a+?)*?", "(?:a+?)*", "(?:a++)*", "(a*)*", "a{1,2}*", "a{0,1}*?", "(?:a){1,}*", "(?:b{0,1})*", "(?:a+)?*", "a+?*+", "(?:(?:a*)*)*",
  "a/[cc]", "[bb]\t\n\\/"
]

def silently
  kept, $stderr = $stderr, Object.new.tap { |io| def io.write(*texts) = (@all ||= +"") << texts.join; def io.all = @all }
  yield
  $stderr.all&.dup&.force_encoding("UTF-8")
ensure
  $stderr = kept
end

[false, true].each do |verbose|
  $VERBOSE = verbose
  puts "verbose #{verbose}"
  PATTERNS.each do |pattern|
    told = silently { Regexp.new(pattern) }
    puts "  #{pattern.inspect} #{told&.gsub(/^.*?: warning: /, "")}"
  end
end

# literals are warned of when their code is read, not when it runs
puts silently { eval("if false\n  /[xx]/\nend\n", nil, "read.rb") }
puts silently { eval("2.times { /[yy]/ }\n", nil, "read.rb") }
puts silently { 2.times { eval("/\#{1}[zz]/.source", nil, "made.rb") } }
$VERBOSE = nil
p silently { Regexp.new("a**") }
# a pattern that is compiled again for texts of another encoding is warned of once
$VERBOSE = true
puts silently { pattern = Regexp.new("[aa]é".encode("EUC-JP", undef: :replace)); 2.times { pattern.match?("aé".encode("EUC-JP", undef: :replace)) } }.b.scan("duplicated").size
puts silently { 2.times { |i| Regexp.new("[d#{i * 0}dd]") } }.b.scan("duplicated").size
