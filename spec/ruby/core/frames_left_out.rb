# Frames as MRI has them: a block that a method of Enumerable calls runs in `each`; operators that need no call have no frame.
def shown
  yield
  "fine"
rescue StandardError => error
  "#{error.class}: #{error.backtrace.map { |line| line[/`(.*)'/, 1] }[0..-3].join(" < ")}"
end
raising = Hash.new { raise "lacking" }
key = "k"
puts shown { raising[1] }, shown { raising[key] }, shown { raising[:a] += 1 }, shown { raising["a"] ||= 1 }, shown { raising.dig(:a) }
puts shown { raising.fetch_values(1) { raise "x" } }, shown { Class.new(Hash).new { raise "x" }[1] }, shown { raising.values_at(1) }
puts shown { {}.freeze[1] = 2 }, shown { [].freeze[1] = 2 }, shown { [].freeze << 1 }, shown { "".freeze << "a" }, shown { {}.freeze["a"] ||= 1 }
puts shown { {}.freeze.store(1, 2) }, shown { [].freeze.push(1) }, shown { [1]["a"] }
%i[each_with_index map flat_map group_by partition min_by sort_by inject each_with_object each_slice find].each do |name|
  args = { each_with_object: [1], each_slice: [1] }.fetch(name, [])
  puts "#{name}: #{shown { [3, 1].public_send(name, *args) { raise "x" } }}", shown { (1..2).public_send(name, *args) { raise "x" } }
  puts shown { { a: 1, b: 2 }.public_send(name, *args) { raise "x" } }
end
class Pair
  include Enumerable
  def each
    yield 1
    yield 2
  end
end
puts shown { Pair.new.map { raise "x" } }, shown { Pair.new.inject { raise "x" } }
puts [1].each_with_index.map { caller(0).first[/in .*/] }, [3, 1].min_by { break caller(0)[0..3].map { |line| line[/`(.*)'/, 1] } }
class Plain < Hash
  def [](_key) = 5
end
p Plain.new.dig(1), [Plain.new].dig(0, 1)
