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
