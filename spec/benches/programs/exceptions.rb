class Oops < StandardError; end

def deep(n)
  raise Oops, "bottom" if n == 0
  deep(n - 1)
ensure
  @count = (@count || 0) + 1
end
caught = 0
150_000.times do |i|
  begin
    i.even? ? deep(5) : Integer("zz#{i}")
  rescue Oops => e
    caught += e.message.size
  rescue ArgumentError => e
    caught += e.message.size
  end
end
300_000.times { |i| caught += catch(:done) { throw :done, i } }
puts caught, @count
