require_relative "fixtures/combine"
$VERBOSE = nil
receivers = %w[0 1 -1 7 -7 255 10**20 -(2**64) 2**63 100]
calls = %w[abs succ pred to_s to_i to_f to_r to_c chr.class ord size.class bit_length even? odd? zero? positive? negative? ~ -@ +@ floor ceil round truncate digits.size.class integer? finite? infinite? nonzero? hash.class inspect numerator denominator rationalize real? magnitude pow(2) to_s(2) to_s(16) to_s(36) digits bit_length.class coerce(2) next times.class.name.size dup frozen? real imaginary conj arg abs2 polar rect]
operands = ['0', '1', '-1', '3', '-3', '2.5', '10**19', '1r/2', '2i', 'nil', '"3"', 'Float::INFINITY', '0.0']
calls += Combine.with(%w[+ - * / % ** & | ^ << >> <=> == < >= div modulo divmod fdiv remainder quo pow gcd lcm eql? equal? coerce ceildiv].reject { |n| n == "ceildiv" }, operands).reject { |call| call =~ /\A(<<|>>|\*\*|pow)\(10/ }
calls += Combine.with(%w[floor ceil round truncate to_s [] digits bit_length allbits? anybits? nobits?], ['-1', '-2', '1', '2', '0', '16', '37', 'nil', '"x"', '40'])
calls += ['round(-1, half: :even)', 'round(-1, half: :up)', 'round(-1, half: :down)', 'round(-1, half: :bad)', 'pow(3, 5)', 'pow(-1, 5)', 'pow(2, 0)', 'clamp(1, 5)', 'clamp(..3)', 'clamp(5, 1)', 'between?(0, 10)', 'step(10, 3).first(2)', 'upto(3).first(2)', 'downto(-2).first(2)', '[0, 3]', '[0..2]', 'to_s(1)', 'chr', 'chr("UTF-8")', 'digits(-1)', 'digits(1)', 'times.first(2)', 'instance_variable_set(:@a, 1)', 'singleton_class', 'dup', 'method(:+).arity', 'respond_to?(:+)', 'send(:foo)', 'foo', 'to_str', 'instance_of?(Integer)', 'is_a?(Comparable)', 'floor(-1.5)', 'Integer']
Combine.each(receivers, calls)
