# Commands of RubyGems: what a class of one's own can do, the manager, plug-ins and the program.
require "rubygems/command"
require "rubygems/command_manager"
require "rubygems/version_option"
require "rubygems/local_remote_options"
require "rubygems/gem_runner"
require "rubygems/mock_gem_ui"
require "tmpdir"
require "fileutils"

class Gem::Commands::HelloCommand < Gem::Command
  include Gem::VersionOption
  include Gem::LocalRemoteOptions

  def initialize
    super "hello", "Says hello, in a summary that is so long that it has to be broken into two lines of text", name: "x", list: [], version: Gem::Requirement.default
    add_option("-n", "--name NAME", "The name", "of whom") { |value, options| options[:name] = value }
    add_option(:Special, "-c", "--[no-]count N", Integer, "How often") { |value, options| options[:count] = value }
    add_option(:Another, "--kind KIND", Symbol, "What kind") { |value, options| options[:kind] = value }
    add_option("--list A,B", Array, "Many") { |value, options| options[:list].concat(value) }
    add_option("--old", "Old") { |value, options| options[:old] = value }
    add_option("--older", "Older") { |value, options| options[:older] = value }
    deprecate_option("--old", version: "4", extra_msg: "Use --new.")
    deprecate_option("--older")
    add_version_option
    add_prerelease_option("for now")
    add_platform_option("greet", "of the gem")
    add_local_remote_options
  end
  def arguments = "WHO   who it is\nWHAT  what to say"
  def defaults_str = "--name x\n--no-count"
  def description = "First paragraph. #{"A long description. " * 6}\n\nSecond\nparagraph\n\n#{"x" * 100} y\n"
  def usage = "#{program_name} WHO"
  def execute
    say "hello #{options.map { |name, value| "#{name}=#{value.is_a?(Gem::Requirement) ? value.to_s : value.inspect}" }.join(" ")}"
    say "local #{local?} remote #{remote?} both #{both?}"
  end
end

def try
  ui = Gem::MockGemUi.new
  result = begin
    Gem::DefaultUserInteraction.use_ui(ui) { yield }
  rescue Gem::MockGemUi::TermError => error
    "ends with #{error.exit_code}"
  rescue Gem::MockGemUi::SystemExitException
    "ends"
  rescue StandardError => error
    "#{error.class.name.sub("Gem::OptionParser", "OptionParser")}: #{error.message}"
  end
  puts "=> #{result.inspect}", ui.output.sub(Gem::Command::HELP, "(help)\n"), ui.error.sub("Gem::OptionParser", "OptionParser")
end

manager = Gem::CommandManager.instance
manager.register_command(:hello)
hello = manager["hello"]
p hello.class, manager[:hello].equal?(hello), hello.command, hello.summary, hello.program_name, hello.defaults.keys, hello.options.keys
try { hello.show_help }
[
  %w[-n bob rest --no-count more], [], %w[-c 3 --list a,b --list c], %w[-c x], %w[--count], %w[--zzz], %w[--old --older], %w[--kind good], %w[--na bob], %w[--l], %w[--silent],
  %w[-v 1.0], ["-v", ">= 1.0, < 3"], %w[-v 1 -v 2], %w[-v x], %w[-v 1.a], %w[-v 1.a --no-prerelease], %w[--prerelease -v 2], %w[-r], %w[-l -b], %w[--help], %w[-B 7], %w[-u],
  %w[--no-http-proxy], %w[-p http://proxy.example:80], %w[-p nowhere], %w[--clear-sources -s http://gems.example], %w[-s http://gems2.example/], %w[-s], %w[-- -n x], %w[-q], %w[-V]
].each do |words|
  puts "-- #{words.join(" ")}"
  try { hello.invoke(*words) }
end
p Gem.sources.to_a.last(2), Gem.configuration.bulk_threshold, Gem.configuration[:http_proxy], Gem.configuration.verbose
Gem.configuration.verbose = true
Gem.configuration[:http_proxy] = nil
try { hello.invoke_with_build_args(["a"], ["--with-x"]) }
try { hello.invoke("--platform", "java", "--platform", "ruby", "--platform", "x86-mswin32") }
puts Gem.platforms.map(&:to_s), hello.get_platform_from_requirements(hello.options).inspect
Gem.platforms = nil
p hello.handles?(["-n", "x"]), hello.handles?(["--nothing"]), hello.begins?("update", "upd"), hello.begins?("update", nil), hello.begins?("up", "update"), hello.deprecated?

hello.options[:args] = nil
try { hello.get_one_gem_name }
try { hello.get_all_gem_names }
try { hello.get_one_optional_argument }
hello.options[:args] = ["a", "b:1.0", "-x", "c:>= 2", "d:e"]
try { hello.get_one_gem_name }
try { hello.get_all_gem_names }
try { hello.get_all_gem_names_and_versions }
try { hello.get_one_optional_argument }
try { hello.merge_options(name: "z", more: 1).class }
p hello.options.slice(:name, :more), hello.defaults[:name]
hello.when_invoked { |options| [:invoked, options[:args]] }
try { hello.invoke("q") }
try { hello.add_option("--bad", "") { nil } }
try { hello.show_lookup_failure("nothing", ">= 0", [], true) }
try { hello.show_lookup_failure("nothing", ">= 0", nil, true, "'other' (>= 0)") }
try { hello.show_lookup_failure("nothing", ">= 0", [Struct.new(:wordy).new("it is not there")], true) }

plain = Gem::Command.new("generic", "sum")
try { plain.execute }
try { plain.invoke }
p plain.usage, plain.arguments, plain.defaults_str, plain.description, plain.defaults
plain.remove_option("--nothing")
plain.add_option("--one", "One") { |value, options| options[:one] = value }
plain.add_option("-t", "--two", "Two") { |value, options| options[:two] = value }
plain.remove_option("--tw")
p plain.handles?(["--one"]), plain.handles?(["--two"])
try { plain.show_help }

p Gem::Command.build_args, Gem::Command.common_options.size, Gem::Command.common_options.first.first, Gem::Command.extra_args, Gem::Command.specific_extra_args("x")
Gem::Command.extra_args = "--quiet --one"
Gem::Command.add_specific_extra_args("generic", "--unknown  word --one")
p Gem::Command.extra_args, Gem::Command.specific_extra_args("generic"), plain.add_extra_args(["x"])
Gem::Command.extra_args = []
Gem.configuration.verbose = true

p manager.find_command("hello").class, manager.find_command("hell").class, manager.find_command_possibilities("pus"), manager.find_command_possibilities("none"), manager.find_alias_command("i")
try { manager.find_command("nope-such") }
%w[buidl pusj].each { |name| try { manager.find_command(name) } }
try { manager.find_command("b") && 1 }
manager.register_command(:hellish, plain)
try { manager.find_command("hell") }
p manager["hellish"].equal?(plain), manager.command_names.grep(/hel/) - ["help"], manager.unregister_command(:hellish).equal?(plain), manager["hellish"]
manager.register_command(:qqwwqqww)
try { manager["qqwwqqww"] }
manager.unregister_command(:qqwwqqww)
class Gem::Commands::OldCommand < Gem::Command
  extend Gem::Deprecate
  rubygems_deprecate_command
  def initialize = super("old", "Old")
  def execute = say("old")
end
manager.register_command(:oldest, Gem::Commands::OldCommand.new)
try { manager.run(%w[oldest]) }
p manager["oldest"].deprecated?
manager.unregister_command(:oldest)
p manager.instance.equal?(manager)
[[], %w[-h], %w[--version], %w[-z], %w[zzz-top], %w[HELLO a], %w[hello --nope]].each { |words| try { manager.run(words) } }
hello.when_invoked { raise Interrupt }
try { manager.run(%w[hello]) }
hello.when_invoked { raise "went \awrong" }
try { manager.run(%w[hello]) }
hello.when_invoked { hello.terminate_interaction(3) }
begin
  manager.run(%w[hello])
rescue Gem::SystemExitException => error
  p error.exit_code, error.status, error.message, error.is_a?(SystemExit)
end
Gem::CommandManager.reset
p Gem::CommandManager.instance.equal?(manager)

Dir.mktmpdir do |dir|
  FileUtils.mkdir_p("#{dir}/rubygems/commands")
  File.write("#{dir}/rubygems_plugin.rb", "require 'rubygems/command_manager'\nGem::CommandManager.instance.register_command :zap_all\n")
  File.write("#{dir}/rubygems/commands/zap_all_command.rb", <<~RUBY)
    class Gem::Commands::ZapAllCommand < Gem::Command
      def initialize
        super("zap_all", "Zaps")
        add_option("--loud", "Loud") { |value, options| options[:loud] = value }
      end
      def execute = say("zap \#{options.inspect}")
    end
  RUBY
  File.write("#{dir}/gemrc", "zap_all: --loud\n")
  $LOAD_PATH.unshift(dir)
  Gem.load_env_plugins
  p Gem::CommandManager.instance.command_names.include?("zap_all")
  runner = Gem::GemRunner.new
  try { runner.run(["zap", "x", "--config-file=#{dir}/gemrc", "--", "--with-this"]) }
  p runner.extract_build_args(["a"]), runner.extract_build_args(["a", "--", "b", "c"])
end
