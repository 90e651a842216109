# Array and Hash literals whose value nothing uses are not made: no `hash` of a key, no `to_hash`; their elements are evaluated, in order.
class Loud
  %i[hash to_hash to_ary to_a to_s].each do |name|
    define_method(name) do
      puts "called #{name}"
      { hash: 1, to_hash: {}, to_ary: [1], to_a: [1], to_s: "x" }[name]
    end
  end
end

def unused(loud)
  { loud => 1 }
  [loud, loud]
  { **loud }
  [a: 1, **loud]
  [puts("first"), [puts("nested")], { a: puts("value") }]
  { puts("key") => 1, "k" => puts("second value") }
  [*loud]
  "a#{loud}b"
end

unused(Loud.new)
puts({ Loud.new => 1 }.size)

begin
  [puts("before"), raise("in an element"), puts("after")]
  1
rescue => error
  p error
end
i = 0
while i < 2
  [i, i += 1]
end
p i
