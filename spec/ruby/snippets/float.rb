require_relative "fixtures/combine"
$VERBOSE = nil
receivers = %w[0.0 -0.0 1.5 -2.5 3.14159 1e20 1e-10 100.0 Float::INFINITY -Float::INFINITY Float::NAN 123456789.123456789 0.1+0.2 1e16 1r/3 -7r/2 Rational(5) 2**0.5]
calls = %w[abs to_s to_i to_f to_r inspect floor ceil round truncate nan? infinite? finite? zero? positive? negative? -@ numerator denominator rationalize next_float prev_float integer? magnitude to_c hash.class real? abs2 arg conj polar rectangular real imaginary nonzero?]
operands = ['0', '1', '-3', '2.5', '0.0', '1r/3', 'nil', '"3"', 'Float::NAN', '10**20']
calls += Combine.with(%w[+ - * / % ** <=> == < divmod div modulo fdiv quo remainder eql? coerce], operands)
calls += Combine.with(%w[floor ceil round truncate], ['1', '2', '-1', '15', '0', 'nil', '400', '-400'])
calls += ['round(half: :up)', 'round(half: :down)', 'round(1, half: :even)', 'round(half: "bad")', 'rationalize(1r/100)', 'clamp(0, 1)', 'between?(0, 5)', 'step(2.0, 0.5).first(3)', 'to_s.encoding', 'rationalize(0.01)']
Combine.each(receivers, calls)
