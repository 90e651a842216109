require_relative "fixtures/combine"
$VERBOSE = nil
ranges = ['(1..5)', '(1...5)', '(5..1)', '(1..)', '(..5)', '("a".."e")', '("a"..."e")', '(1.0..2.5)', '(nil..nil)', '(1..10).step(3)', '1.step(10, 4)', '(0.5..2)', '("A".."zz")', '(-3..-1)', '(1..5.5)', '(Time.at(0)..Time.at(9))']
calls = %w[begin end first last min max size count sum to_s inspect exclude_end? hash.class minmax frozen? class to_a.size.class first(2) last(2) min(2) max(2)]
calls += Combine.with(%w[include? member? === cover? == eql? first step %], ['1', '3', '5', '2.5', '"c"', 'nil', '(2..3)', '0', '"cc"'])
calls += ['step(2).first(2)', 'each_slice(2).first', 'reverse_each.first(2)', 'to_a.last', 'map { |x| x }.first', 'sum { |x| x.to_i }', 'inject(:+)', 'bsearch { |x| x >= 2 }', 'each_with_index.first(1)', 'select { |x| x == 3 }.size', 'partition { |x| x == 1 }.map(&:size)', 'zip([1]).first', 'each_cons(2).first', 'lazy.map { |x| x }.first(2)', 'entries.size', 'cycle.first(3)', 'tally.size', 'dup', 'pred', 'count(1)', 'each_entry.first(1)', 'minmax', 'find { |x| x }', 'take(2)', 'drop(1).size', 'take_while { |x| x == 1 }']
safe = calls.reject { |call| call =~ /to_a|sum|inject|count|select|partition|entries|tally|drop|reverse_each|minmax|each_with_index|zip|last|map \{ \|x\| x \}\.first|bsearch/ }
ranges.each { |range| Combine.each([range], range == "(1..)" ? safe : calls) }
symbols = [':a', ':"hello world"', ':[]=', ':+', ':"é"', ':A', ':a?', ':"9x"', ':"foo="', ':@iv', ':$g', ':""']
Combine.each(symbols, %w[to_s inspect to_sym to_proc.class length size upcase downcase capitalize swapcase succ empty? name encoding hash.class frozen? id2name start_with?("a") end_with?("a") dup to_proc.arity to_proc.lambda?] + Combine.with(%w[<=> == [] =~ match casecmp casecmp? slice start_with? ===], [':a', '"a"', '0', '/a/', 'nil', '0, 1', '1..']))
