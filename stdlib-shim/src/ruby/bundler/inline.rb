# A Gemfile within a program.
require "bundler"

# Evaluates the block as a Gemfile, and loads the gems it names. Gems are not installed: what is missing is an error.
def gemfile(_install = false, options = {}, &block)
  options = options.dup
  ui = options.delete(:ui) || Bundler::UI::Shell.new
  ui.level = "silent" if options.delete(:quiet)
  raise ArgumentError, "Unknown options: #{options.keys.join(", ")}" unless options.empty?

  before = ENV["BUNDLE_GEMFILE"]
  begin
    Bundler::SharedHelpers.set_env("BUNDLE_GEMFILE", "Gemfile")
    Bundler.bundle_path = Pathname.new(Gem.dir)
    dsl = Bundler::Dsl.new
    dsl.instance_eval(&block)
    dsl.check_primary_source_safety
    Bundler.settings.temporary(deployment: false, frozen: false) do
      definition = dsl.to_definition(nil, true)
      def definition.lock(*) = nil
      definition.validate_runtime!
      Bundler.ui = _install ? ui : Bundler::UI::Silent.new
      Bundler::Runtime.new(nil, definition).setup.require
    end
  ensure
    ENV["BUNDLE_GEMFILE"] = before.to_s
  end
end
