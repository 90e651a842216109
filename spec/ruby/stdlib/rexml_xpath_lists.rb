# Paths as lists, and lists written as paths.
require "rexml/document"
require "rexml/parsers/xpathparser"

def try(label)
  puts "#{label}: #{yield.inspect}"
rescue StandardError => error
  puts "#{label}: #{error.class}: #{error.message.lines.first.to_s.chomp}"
end

parser = REXML::Parsers::XPathParser.new
[
  "a", "/a", "//a", "/", "a/b", "a//b", "a:b/@c", ".", "..", "./a", "../a", "*", "@*", "a:*", "*:a", "text()", "a/text()", "a/node()", "comment()",
  "processing-instruction()", "processing-instruction('x')", "child::a", "ancestor-or-self::a", "following-sibling::*", "self::node()", "parent::a/child::b",
  "a[1]", "a[@b]", "a[@b='c']", "a[@b = 'c' and d]", "a[b or c]", "a[position() < 3]", "a[last()]", "a[b != 'x']", "a[1][2]", "a[b[c]]", "a[count(b) >= 2]",
  "a | b", "a + b", "a - 1", "2 * 3", "4 div 2", "5 mod 2", "-1", "--1", "'x'", "\"y\"", "1.5", "$v", "count(a)", "concat('a', 'b', c)", "(a)[1]", "(a | b)[2]",
  "a[contains(text(), 'x')]", "a[not(b)]", "a[ b ]", "a[b > 1]", "string(a) = 'b'", "namespace::a", "a]", "",
].each do |path|
  try(path) { parser.parse(path) }
  try(path) { parser.abbreviate(path) }
  try(path) { parser.expand(path) }
  try(path) { parser.predicate(path) } unless path.empty? || path == "a]"
  try(path) { parser.predicate_to_string(parser.parse(path)) { |inner| parser.abbreviate(inner) } }
end
try("changed") do
  list = parser.parse("a/b")
  list[2].replace("ns")
  parser.abbreviate(list)
end
