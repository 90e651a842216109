# Runs one spec file under RSpec and prints its counts: examples, passed, failed, pending, errors outside of examples.
# `--list` also prints what failed and why; further options are RSpec's (`-e TEXT`).
require "rspec/core"
require "json"
require "stringio"

list = ARGV.delete("--list")
out = StringIO.new
RSpec::Core::Runner.run(["--format", "json", "--no-color", "--order", "defined", *ARGV], out, out)
lines = out.string.lines
report = lines.reverse_each.find { |line| line.start_with?('{"version"') } or abort out.string
report = JSON.parse(report)
if list
  puts lines.reject { |line| line.start_with?('{"version"', "Run options:") }, report["messages"]
  report["examples"].select { |each| each["status"] == "failed" }.each do |each|
    error = each["exception"]
    puts "FAILED #{each["full_description"]}", "  #{each["file_path"]}:#{each["line_number"]}", "  #{error["class"]}: #{error["message"]}"
    puts Array(error["backtrace"]).reject { |line| line.include?("/rspec-") }.first(4).map { |line| "    #{line}" }
  end
end
summary = report["summary"]
total, failed, pending = summary.values_at("example_count", "failure_count", "pending_count")
puts [total, total - failed - pending, failed, pending, summary["errors_outside_of_examples_count"]].join(" ")
