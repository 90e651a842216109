def t; yield; rescue Exception => e; puts "#{e.class}: #{e.message}"; end
t { 5 => String }
t { 5 => 1 | 2 }
t { [1,2] => [a] }
t { [1] => [a, b, *] }
t { [1, 2] => [Integer, String] }
t { {a: 1} => {a: String} }
t { {a: 1, b: 2} => {a:, **nil} }
t { {a: 1} => {} }
t { 5 => [] }
t { 5 => {a:} }
t { case 5; in String; end }
t { case {a: 1}; in {b:}; end }
t { case 5; in String; in Symbol; end }
t { case 5; in Integer if false; end }
t { case 5; in Integer unless true; end }
t { 5 => String => x }
t { [[1]] => [[String]] }
t { {a: {b: 1}} => {a: {c:}} }
t { 5 => nil }
