# Coverage of lines and methods.
require "coverage"
require "tmpdir"
folder = Dir.mktmpdir
at_exit { require "fileutils"; FileUtils.rm_rf(folder) }
path = "#{folder}/covered.rb"
File.write(path, DATA.read)
def tell
  p yield
rescue RuntimeError => error
  puts "#{error.class}: #{error.message}"
end
tell { Coverage.running? }
tell { Coverage.result }
tell { Coverage.resume }
Coverage.start
load path
tell { Coverage.running? }
lines = Coverage.peek_result[path]
File.readlines(path).zip(lines) { |line, count| puts "#{count.inspect.rjust(4)} #{line}" }
tell { Coverage.setup }
tell { Coverage.result.keys == [path] }
tell { Coverage.running? }
Coverage.start(methods: true, lines: true)
load path
found = Coverage.result[path]
p found[:lines] == lines
found[:methods].sort_by(&:inspect).each { |row| p row }
Coverage.start(oneshot_lines: true)
load path
p Coverage.result(stop: false, clear: true)[path]
p Coverage.result[path]
Coverage.setup(lines: true)
load path
tell { Coverage.suspend }
tell { Coverage.state }
p Coverage.peek_result[path][:lines].compact.sum
Coverage.resume
load path
p Coverage.result[path][:lines].compact.sum
tell { Coverage.start(oneshot_lines: true, lines: true) }
__END__
a = 1
def foo(x)
  if x
    :a
  else
    2
  end
end
foo(a)
b = [
  foo(1),
  2,
]
c = foo(
  1
)
nil
begin
  raise "x"
rescue
  1
ensure
  b
end
class Covered
  def b
    nil
  end
  def self.c(x) = x
  attr_reader :q
end
Covered.c(1)
[1, 2].each do |z|
  z + 1; z
end
x = a ? 1 :
  2
y = <<~END
  #{a}
END
case a
when 1
  2
end
b
  .map { |q|
    q
  }
  .size
