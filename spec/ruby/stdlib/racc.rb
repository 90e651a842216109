# The runtime of parsers that Racc made: the tables of `list: A | list A`, written by hand.
require "racc/parser"
class List < Racc::Parser
  Racc_arg = [
    [4, nil, 2, 5], [1, nil, 0, 3], [-4, -4, -2, -1, 6, -3], [0, 0, nil, 1, nil, nil],
    [], [], [nil, 1, 3], [nil, nil, nil],
    3, [0, 0, :racc_error, 1, 4, :_reduce_none, 1, 5, :_reduce_2, 2, 5, :_reduce_3],
    { false => 0, :error => 1, :A => 2 }, 6, 4, true
  ]
  Racc_token_to_s_table = ["$end", "error", "A", "$start", "target", "list"]
  Racc_debug_parser = false
  attr_accessor :tokens, :mode
  def next_token = tokens.shift
  def each_token
    tokens.each { |token| yield(token) }
    yield [false, "$"]
  end
  def _reduce_none(val, _values, _result) = val[0]
  def _reduce_2(val, _values, result)
    yyaccept if mode == :accept
    yyerror if mode == :error
    result = [val[0]]
    result
  end
  def _reduce_3(val, _values, result)
    result = val[0] + [val[1]]
    result
  end
end
def list(*tokens, mode: nil)
  parser = List.new
  parser.tokens = tokens + [[false, "$"]]
  parser.mode = mode
  yield parser
rescue => error
  "#{error.class}: #{error.message}"
end
p(list([:A, 1]) { |it| it.do_parse })
p(list([:A, 1], [:A, 2], [:A, 3]) { |it| it.do_parse })
p(list { |it| it.do_parse })
p(list([:A, 1], [:B, 2]) { |it| it.do_parse })
p(list([:B, nil]) { |it| it.do_parse })
p(list([:A, 1], [:A, 2]) { |it| it.tokens.pop; it.yyparse(it, :each_token) })
p(list([:A, 1], mode: :accept) { |it| it.do_parse })
p(list([:A, 1], mode: :error) { |it| it.do_parse })
p List.new.token_to_str(2), Racc::ParseError.superclass, ParseError
class List
  def on_error(token, value, values) = puts("error at #{token_to_str(token)} #{value.inspect}, #{values.inspect}")
end
p(list([:B, 1]) { |it| it.do_parse })
p(list([:A, 1], [:B, 2]) { |it| it.do_parse })
begin
  Class.new(Racc::Parser) { const_set(:Racc_arg, List::Racc_arg) }.new.next_token
rescue NotImplementedError => error
  puts error.message.sub(/#<Class.*?>/, "X")
end
p Racc::Parser.racc_runtime_type, List.new.respond_to?(:_racc_do_parse_c, true)
[[nil], [[:A]], ["x"], [[nil, 1]]].each do |tokens|
  p(list { |it| it.tokens = tokens; it.do_parse })
end
