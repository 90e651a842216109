# Loads a suite's files under its own framework and writes a line an example to $GEMS_RESULT: state, tab, name.
# usage: driver.rb rspec|minitest|test-unit|bacon FILE...
#
# A file that cannot be loaded is one line (`LOAD`), the other files run all the same.

module GemResults
  OUT = File.open(ENV.fetch("GEMS_RESULT"), "a")
  OUT.sync = true
  # what differs from run to run is not part of a name: addresses, numbers of objects, process numbers, temporary directories, the patch level, the time
  PLACE = Dir.pwd.b
  # the run's own folder, where its home is
  AROUND = File.dirname(PLACE)
  WORD_OF_PLACE = PLACE.gsub(/\W/n, "_")
  def self.add(state, name, error = nil)
    name = name.to_s.dup.force_encoding("BINARY").gsub(PLACE, ".").gsub(WORD_OF_PLACE, ".").gsub(AROUND, "..").gsub(RUBY_VERSION, "VERSION").gsub(/\b\d\d:\d\d:\d\d\b/n, "TIME").gsub(/0x[0-9a-f]+/, "0x").gsub(/-?\d{5,}/, "N").gsub(/\s+/n, " ")[0, 300]
    where = error && [error.class, error.message.to_s.dup.force_encoding("BINARY")[0, 1200], (error.backtrace || [])[0, 12]].inspect
    OUT.write("#{state}\t#{name}\t#{where}\n")
  end
  def self.load_file(file)
    yield
  rescue Exception => error
    raise if error.is_a?(NoMemoryError)
    add("LOAD", file.delete_prefix(Dir.pwd + "/"), error)
  end
  TOP = Process.pid
end

framework, *features = ARGV.shift.split("+")
features.each { |feature| require feature }
files = ARGV.dup
ARGV.clear
case framework
when "rspec"
  require "rspec/core"
  class GemFormatter
    RSpec::Core::Formatters.register self, :example_passed, :example_failed, :example_pending
    def initialize(*) = nil
    def example_passed(notification) = GemResults.add("PASS", notification.example.full_description)
    def example_failed(notification) = GemResults.add("FAIL", notification.example.full_description, notification.example.exception)
    def example_pending(notification) = GemResults.add("PEND", notification.example.full_description)
  end
  class RSpec::Core::Configuration
    private

    def load_file_handling_errors(method, file) = GemResults.load_file(file) { __send__(method, file) }
  end
  status = RSpec::Core::Runner.run(["--seed", "1", "-f", "GemFormatter", "-o", File::NULL, *files], $stderr, $stdout)
  exit!(status)
when "minitest"
  require "minitest"
  module Minitest
    class << self
      prepend(Module.new do
        def init_plugins(*)
          super
          reporter << GemReporter.new
        end
      end)
    end
    class GemReporter < AbstractReporter
      def record(result)
        state = result.skipped? ? "PEND" : result.passed? ? "PASS" : "FAIL"
        failure = result.failures.first
        failure = failure.error if failure.respond_to?(:error)
        GemResults.add(state, "#{result.klass}##{result.name}", state == "FAIL" ? failure : nil)
      end
    end
  end
  ARGV.replace(["--seed", "1"])
  require "minitest/autorun"
  files.each { |file| GemResults.load_file(file) { require File.expand_path(file) } }
when "bacon"
  # Bacon runs a group as soon as its file has it, and tells of it by two methods of its module.
  require "bacon"
  groups = []
  Bacon.define_singleton_method(:handle_specification) do |name, &block|
    groups.push(name)
    block.call
  ensure
    groups.pop
  end
  Bacon.define_singleton_method(:handle_requirement) do |description, *_disabled, &block|
    error = block.call
    name = [*groups, description].join(" ")
    error.to_s.empty? ? GemResults.add("PASS", name) : GemResults.add("FAIL", name, RuntimeError.new("#{error} #{Bacon::ErrorLog[-800..] || Bacon::ErrorLog}"))
  end
  # what a suite asks for its output must not take these away
  Bacon.define_singleton_method(:extend) { |*| self }
  files.each { |file| GemResults.load_file(file) { require File.expand_path(file) } }
else
  require "test/unit"
  module GemCase
    def run(*)
      super
    ensure
      GemResults.add(passed? ? "PASS" : "FAIL", "#{self.class}##{method_name}", (@internal_data.instance_variable_get(:@gems_error) rescue nil))
    end
  end
  Test::Unit::TestCase.prepend(GemCase) unless Dir.pwd.include?("test-unit")
  Test::Unit::TestCase.class_eval { prepend GemCase } if Dir.pwd.include?("test-unit")
  files.each { |file| GemResults.load_file(file) { require File.expand_path(file) } }
end
