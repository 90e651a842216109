# CSV: fields that are always quoted, by place and by header.
require "csv"
def t = (p yield) rescue p([$!.class, $!.message])
t { CSV.generate(force_quotes: ["a"]) { |c| c << [1, 2] } }
t { CSV.generate(force_quotes: ["a"]) { |c| } }
t { CSV.generate(force_quotes: ["a"], headers: true) { |c| c << %w[a b] << [1, 2] } }
t { CSV.generate(force_quotes: ["b", 0, :c], headers: %w[a b c], write_headers: true) { |c| c << [1, 2, 3] } }
t { CSV.generate(force_quotes: ["b", "zz"], headers: "a,b") { |c| c << [1, 2, nil] } }
t { CSV.generate(force_quotes: [1.5]) { |c| c << [1] } }
t { CSV.generate_line([1, nil, ""], force_quotes: [0, 1]) }
t { CSV.generate_line([1, 2], force_quotes: [:x]) }
t { CSV.generate_line([1, 2], force_quotes: []) }
t { CSV.generate_line([1, 2], force_quotes: 1) }
t { [1, 2].to_csv(force_quotes: ["q"]) }
t { CSV.new(+"", force_quotes: ["a"]).force_quotes? }
t { CSV.new(+"", force_quotes: []).force_quotes? }
t { CSV.generate(force_quotes: [:a], headers: %w[A B], header_converters: :downcase) { |c| c << { "a" => 1, "b" => 2 } } }
