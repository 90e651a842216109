# Paths put together: what is no path is an error, as the result would be another path.
require "pathname"

def show
  p yield
rescue TypeError, ArgumentError => e
  puts "#{e.class}: #{e.message.lines.first}"
end

a = Pathname.new("/a")
show { a + nil }
show { a / nil }
show { a + 1 }
show { a + :x }
show { a.join(nil) }
show { a.join("b", nil) }
show { a.join(nil, "/c") }
show { a.join(:x) }
show { a.join }
show { a.join("b", "../c", "d") }
show { a.join("b", "/c", "d") }
show { a.join("b/", "./c") }
show { Pathname.new("a").join("..", "..", "x") }
show { Pathname.new("a").join("") }
show { a.join(".") }
show { Pathname.new(nil) }
show { a.relative_path_from(nil) }
show { a.relative_path_from("/b") }
show { a.rename(nil) }
show { a.make_symlink(nil) }
show { a + Struct.new(:to_str).new("t") }
show { Pathname.new(Struct.new(:to_path).new("t")) }
