# Runs one spec file and prints its counts: examples, passed, failed, pending, errors outside of examples.
# `-I spec/rspec` must be given; `--list` also prints what failed and why, `--only TEXT` runs the examples whose name holds TEXT.
require "rspec"

list = ARGV.delete("--list")
if (at = ARGV.index("--only"))
  ARGV.delete_at(at)
  RSpec.only = ARGV.delete_at(at)
end
report = RSpec.run(ARGV.dup)
trace = ->(error, lines) { Array(error.backtrace).reject { |line| line.include?("/rspec/rspec/") }.first(lines).map { |line| "    #{line}" } }
if list
  report.failures.each { |each| puts "FAILED #{each.description}", "  #{each.location}", "  #{each.error.class}: #{each.error.message}", trace[each.error, 4] }
end
report.outside.each { |error| puts "OUTSIDE #{error.class}: #{error.message}", trace[error, 6] }
puts [report.examples, report.passed.size, report.failures.size, report.pending.size, report.outside.size].join(" ")
