# A parser of `list: list stmt | ; stmt: NUM ';' | NUM error | '{' list '}'`: the token that was not expected is looked at again behind `error`.
require "racc/info"
require "racc/parser"

class Statements < Racc::Parser
  Racc_arg = [
    [5, 3, 6, 11, 5, 9, 6, 8, 7], [10, 1, 10, 10, 2, 5, 2, 5, 3],
    [-3, -7, -1, -7, -2, -7, -3, 12, -4, -5, -7, -6], [nil, 1, 2, 8, nil, 4, nil, nil, nil, nil, -2, nil],
    [2, 1, nil, nil, nil, nil, 10], [2, 1, nil, nil, nil, nil, 2], [nil, nil, nil, 4], [nil, 1, 0, nil], 6,
    [0, 0, :racc_error, 1, 7, :_reduce_none, 2, 8, :_list, 0, 8, :_none, 2, 9, :_number, 2, 9, :_auto, 3, 9, :_block],
    { false => 0, :error => 1, :NUM => 2, ";" => 3, "{" => 4, "}" => 5 }, 12, 7, true
  ]
  Racc_debug_parser = false
  Racc_token_to_s_table = %w[$end error NUM ";" "{" "}" $start target list stmt]

  def parse(text)
    @tokens = text.scan(/\d+|\S/).map { |word| word.match?(/\d/) ? [:NUM, word.to_i] : [word, word] } << [false, "$"]
    do_parse
  end

  def each_of(text)
    text.scan(/\d+|\S/).each { |word| yield [word.match?(/\d/) ? :NUM : word, word] }
    yield [false, "$"]
  end
  def next_token = @tokens.shift
  def on_error(token, value, _) = puts("error at #{token_to_str(token)} #{value}")
  def _list(value, _, result) = result << value[1]
  def _none(*) = []
  def _number(value, *) = value[0]
  def _auto(value, *) = [:auto, value[0], value[1]]
  def _block(value, *) = [:block, value[1]]
  def _reduce_none(value, *) = value[0]
end

["1; 2;", "{ 1; 2 } 3;", "{ 1 2; } 3;", "{ 1 } 3", "1 2 3 4", "{ 1 2 { 3 } }", "1 ; ;", "}", "1", ""].each do |text|
  puts text
  p Statements.new.parse(text)
  p Statements.new.yyparse(Statements.new.tap { |it| it.define_singleton_method(:each) { |&block| each_of(text, &block) } }, :each)
end
p Racc::VERSION, Racc::Version, Racc::Copyright
