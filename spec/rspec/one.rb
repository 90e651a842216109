# Runs spec files under RSpec and writes a line for each example, as it ends, to the file that RSPEC_RESULT names: PASS, FAIL or PEND, its id,
# its description; then, of a failure, class, message and the place in the spec. LOAD is a file that does not load.
require "rspec/core"
require "stringio"

# The formatter that writes these lines.
class Lines
  RSpec::Core::Formatters.register(self, :example_passed, :example_failed, :example_pending, :message)

  def initialize(_output)
    @file = File.open(ENV.fetch("RSPEC_RESULT"), "a")
    @file.sync = true
  end

  def example_passed(event) = line("PASS", event.example)
  def example_pending(event) = line("PEND", event.example)

  def example_failed(event)
    error = event.exception
    places = error.backtrace.to_a.reject { |place| place.match?(%r{/rspec-|<internal:}) }.first(4)
    line("FAIL", event.example, error.class, error.message, places.join(" < "))
  end

  def message(event)
    @file.puts("LOAD\t#{flat(event.message)}") if event.message.include?("An error occurred")
  end

  private

  def line(state, example, *rest) = @file.puts([state, example.id, *[example.full_description, *rest].map { |each| flat(each) }].join("\t"))
  def flat(text) = text.to_s.b.gsub(/\s+/, " ")[0, 1500]
end

ran = RSpec::Core::Runner.run(["--default-path", "spec/unit", "--require", "spec_helper", "--format", "Lines", "--no-color", "--order", "defined", *ARGV], $stderr, $stdout)
exit!(ran)
