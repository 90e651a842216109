require "yaml"
# An object that says how it is written.
class Written
  def initialize(kind, value, style, tag = nil) = (@kind, @value, @style, @tag = kind, value, style, tag)
  def encode_with(coder)
    coder.style = @style if @style
    coder.tag = @tag
    coder.send("#{@kind}=", @value)
  end
end
S = Psych::Nodes::Scalar
[nil, S::ANY, S::PLAIN, S::SINGLE_QUOTED, S::DOUBLE_QUOTED, S::LITERAL, S::FOLDED].each do |style|
  puts YAML.dump(Written.new(:scalar, "some scalar", style)), YAML.dump([Written.new(:scalar, "two\nlines\n", style)]), YAML.dump("k" => Written.new(:scalar, "true", style, "!t"))
end
[nil, 0, 1, 2].each do |style|
  puts YAML.dump(Written.new(:seq, [1, [2, "x"]], style)), YAML.dump("k" => Written.new(:seq, [1], style, "!t"))
  puts YAML.dump(Written.new(:map, { "a" => [1], "b" => { "c" => nil } }, style)), YAML.dump([Written.new(:map, { "a" => 1 }, style, "!t")])
end
