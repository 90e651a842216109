# The frames of a thread that waits, and how endless recursion is reported.
def waits = Thread.stop
thread = Thread.new { waits }
Thread.pass until thread.stop?
puts thread.backtrace.map { |line| line[/\w+\.rb:\d+:in .*/] }
p thread.backtrace_locations.map(&:lineno), thread.backtrace(1).size
thread.run
thread.join
p thread.backtrace
def deep = deep
begin
  deep
rescue SystemStackError => error
  lines = error.full_message(highlight: false).lines
  p lines.size, lines[9].sub(/\d+/, "N"), lines.first.split("rb:").last
end

# Parts of a thread's frames; nil from beyond their end.
asleep = Thread.new { [1].each { sleep } }
Thread.pass until asleep.stop?
[[100], [1], [4], [5], [0..0], [5..], [0, 1], [-2..], [0, -1], ["x"], [-1]].each do |part|
  p asleep.backtrace(*part)
rescue ArgumentError, TypeError => error
  puts "#{error.class}: #{error.message}"
end
p asleep.backtrace_locations(7), asleep.backtrace_locations(0, 2).map(&:lineno)
p Thread.current.backtrace(5..), Thread.current.backtrace(50, 1), Thread.current.backtrace_locations(0, 1).size
asleep.kill
# The frames of the main thread, seen from another one.
def slept = sleep(0.05)
seen = nil
watching = Thread.new { seen = Thread.main.backtrace }
slept
watching.join
puts seen.map { |line| line[/\w+\.rb:\d+:in .*/] }
