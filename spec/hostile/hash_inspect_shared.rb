# NoMemoryError
a = { "x" => 1 }
40.times { a = { 1 => a, 2 => a } }
a.inspect
