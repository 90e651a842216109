require_relative "fixtures/combine"
$VERBOSE = nil
receivers = ['[]', '[1]', '[3, 1, 2]', '[1, nil, "a", :b, 2.5]', '[[1, 2], [3, 4]]', '[1, 1, 2, 3, 3]', '%w[pear fig apple]', '[1, [2, [3, [4]]]]', '[1, 2].freeze']
calls = %w[first last length size empty? to_a to_s inspect reverse rotate sort max min minmax sum uniq compact flatten shuffle.length pop shift clear to_h
           transpose reverse! rotate! sort! uniq! compact! flatten! each_slice(2).to_a each_cons(2).to_a each_with_index.to_a each_entry.to_a cycle.first(3) permutation.first(3)
           combination(2).to_a product tally none? any? all? one? count entries lazy.class each_index.to_a hash.class join dup clone.frozen? frozen? to_set.size sum(0.0) sort.first(2)]
calls -= ["to_set.size"]
calls += Combine.with(%w[first last take drop rotate flatten pop shift combination(1).first permutation(2).first [] at fetch dig slice delete_at values_at cycle(1).to_a each_slice(2).first each_cons(1).first * fill].reject { |n| n.include?("(") || n.include?(".") }, ['0', '1', '-1', '2', '10', '-10', 'nil', '"1"', '1.5'])
calls += Combine.with(%w[[] slice slice!], ['0, 1', '1, 2', '-2, 2', '9, 1', '0..', '..-2', '1...-1', '(0..).step(2)', '-9..2', '1, -1'])
calls += Combine.with(%w[include? index rindex find_index delete count push unshift << append prepend concat + - & | <=> == eql? assoc rassoc union difference intersection intersect? join *], ['1', '[1]', 'nil', '"a"', '[[1, 2]]', '[3, 4]', ','])
calls.reject! { |call| call.end_with?("(,)") }
calls += Combine.with(%w[insert], ['0, :x', '-1, :x', '2, :x, :y', '7, :x', '-9, :x'])
calls += Combine.with(%w[fetch dig fill values_at each_slice each_cons zip product], ['0, :d', '9, :d', '1, 0', '0, 2, 9', '[1, 2]'])
calls += ['fill { |i| i * i }', 'fill(0, 1) { |i| i }', 'fetch(9) { |i| i * 2 }', '[]=(5, :z)', '[]=(0, 2, [:q])', '[]=(-9, 1)', '[]=(1..2, nil)', '[]=(0...0, [7, 8])', 'pack("C*")', 'pack("a*")', 'pack("U*")', 'join("-")', 'sum { |x| x.to_s.size }', 'to_h { |x| [x, 1] }', 'dig(0, 1)', 'dig(1, 1, 0)', 'bsearch { |x| x >= 2 }', 'sum("")', 'flatten(1)', 'cycle(2).to_a', 'each_slice(0)', 'first(-1)', 'sample(random: Random.new(3))', 'shuffle(random: Random.new(3))']
Combine.each(receivers, calls)
