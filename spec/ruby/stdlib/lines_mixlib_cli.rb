# Recorded with the gems themselves.
require_relative "fixtures/lines"
require "mixlib/cli"
class A1; include Mixlib::CLI; end
class A2; include Mixlib::CLI
  banner "Usage: a2 [opts]"
  option :config_file, short: "-c CONFIG", long: "--config CONFIG", default: "config.rb", description: "The config file"
  option :log_level, short: "-l LEVEL", long: "--log_level LEVEL", description: "Level", required: true, proc: proc { |l| l.to_sym }, on: :tail
  option :verbose, short: "-v", long: "--[no-]verbose", boolean: true, default: false
  option :kind, short: "-k KIND", description: "Kind", in: %w[a b c]
  option :multi, short: "-m X", proc: proc { |v, acc| (acc || []) << v }
  option :num, long: "--num N", description: "N", proc: ->(x) { Integer(x) }
  option :head, long: "--head", description: "first", on: :head, boolean: true
end
class A3; include Mixlib::CLI; use_separate_default_options true; option :a, long: "--a A", default: 1; option :b, long: "--b B", in: ["x"]; end
class A4 < A2; option :extra, long: "--extra E", description: "E"; end
class A5; include Mixlib::CLI; option :new_one, short: "-n N", long: "--new N", description: "new"; deprecated_option :old, long: "--old O", short: "-o O", replacement: :new_one; deprecated_option :gone, long: "--gone", boolean: true; deprecated_option :mapped, long: "--mapped M", replacement: :new_one, value_mapper: ->(v) { v.upcase }, keep: false; end
class A6; include Mixlib::CLI; option :help, short: "-h", long: "--help", description: "Help", on: :tail, boolean: true, show_options: true, exit: 0; end
class A7; include Mixlib::CLI; option :x, long: "--x", on: :bad; end
class A8; include Mixlib::CLI; option :x, long: "--x X", in: "no"; end
class A9; include Mixlib::CLI; attr_reader :got; def initialize(*a) = (super(); @got = a); option :x, long: "--x X"; end
each_line_of(<<'CODE')
A1.options
A1.banner.sub(/Usage: \S+/, "Usage: P")
a = A1.new; [a.config, a.options, a.default_config, a.cli_arguments]
A1.new.parse_options(["a", "b"])
A1.new.parse_options(["--nope"])
a = A2.new; a.config
a = A2.new; a.banner
puts A2.new.opt_parser
a = A2.new; a.parse_options(%w[-l debug rest -c x.rb more]); 
a = A2.new; a.parse_options(%w[-l debug rest -c x.rb more]); [a.config, a.cli_arguments]
a = A2.new; a.parse_options(%w[-c x])
a = A2.new; a.parse_options(%w[-l d -k z])
a = A2.new; a.parse_options(%w[-l d -k b]); a.config
a = A2.new; a.parse_options(%w[-l d -m 1 -m 2]); a.config
a = A2.new; a.parse_options(%w[-l d -v]); a.config[:verbose]
a = A2.new; a.parse_options(%w[-l d --no-verbose]); a.config[:verbose]
a = A2.new; a.parse_options(%w[-l d --num 5]); a.config[:num]
a = A2.new; a.parse_options(%w[-l d --num q])
a = A2.new; a.parse_options(%w[-l])
a = A2.new; a.parse_options(%w[-l d -- -k]); a.cli_arguments
argv = %w[-l d x]; a = A2.new; a.parse_options(argv); argv
a = A2.new; a.options.keys
a = A2.new; a.options[:kind]
a = A3.new; [a.config, a.default_config]
a = A3.new; a.parse_options(%w[--a 2]); [a.config, a.default_config]
a = A3.new; a.parse_options(%w[--b y])
A4.options.keys
A2.options.keys
a = A4.new; a.parse_options(%w[-l d --extra q]); a.config
A4.banner.sub(/Usage: \S+/, "Usage: P")
a = A5.new; a.parse_options(%w[--old v]); a.config
a = A5.new; a.parse_options(%w[--old v], show_deprecations: false); a.config
a = A5.new; a.parse_options(%w[--gone]); a.config
a = A5.new; a.parse_options(%w[--mapped v]); a.config
puts A5.new.opt_parser.to_s.sub(/Usage: \S+/, "Usage: P")
A5.options[:old].reject { |k| k == :value_mapper }
a = A6.new; a.parse_options(%w[-h])
A7.new.parse_options([])
A8.new.parse_options(%w[--x a])
A9.new(1, 2).got
A1.option("str", {})
A1.options = 5
A1.options = { z: { long: "--z", boolean: true } }
a = A1.new; a.parse_options(%w[--z]); a.config
A1.use_separate_defaults?
A3.use_separate_defaults?
Mixlib::CLI::Formatter.combined_option_display_name("-a ARG", "--all ARG")
Mixlib::CLI::Formatter.combined_option_display_name(nil, "--all")
Mixlib::CLI::Formatter.combined_option_display_name("-a", nil)
Mixlib::CLI::Formatter.friendly_opt_list(%w[a])
Mixlib::CLI::Formatter.friendly_opt_list(%w[a b])
Mixlib::CLI::Formatter.friendly_opt_list(%w[a b c])
Mixlib::CLI::Formatter.friendly_opt_list([])
A2.new.build_option_arguments({ short: "-x", long: "--xx X", description: "d", required: true, in: [1, 2] })
A2.new.build_option_arguments({ short: "-x" })
A2.respond_to?(:deep_dup)
A2.deep_dup({ a: ["b"], c: :d })
a = A2.new; a.config[:q] = 1; a.config
a = A2.new; a.banner = "B"; puts a.opt_parser.banner
A2.new.opt_parser.class
A2.new.options.equal?(A2.options)
ARGV.replace(%w[-l w z]); a = A2.new; [a.parse_options, a.config[:log_level], ARGV]
CODE
