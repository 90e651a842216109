# Configuration, the environment, gemspecs and messages.
require "tmpdir"
require "fileutils"
require "bundler"

HOME = File.realpath(Dir.mktmpdir)
at_exit { FileUtils.rm_rf(HOME) }
Dir.chdir(HOME)
ENV["BUNDLE_JOBS"] = "4"
ENV["HOME"] = HOME
File.write("Gemfile", "source 'https://rubygems.org'\ngemspec\n")
FileUtils.mkdir_p(".bundle")
File.write(".bundle/config", "---\nBUNDLE_WITHOUT: \"test:development\"\nBUNDLE_FROZEN: 'false'\nBUNDLE_BIN: exe\nBUNDLE_LOCAL__RACK: /x/rack\n")
settings = Bundler.settings
p settings[:without], settings[:frozen], settings[:jobs], settings[:bin], settings[:nothing], settings[:retry], settings["local.rack"], Bundler.frozen_bundle?
p settings.all & %w[bin frozen jobs local.rack without], Bundler::Settings.key_for("a.b-c"), settings.locations(:jobs)
settings.temporary(jobs: 9) { p settings[:jobs] }
settings.set_local(:with, %i[a b])
p settings[:with], settings[:jobs]
puts File.read(".bundle/config")

File.write("own.gemspec", "Gem::Specification.new do |s|\n  s.name = 'own'\n  s.version = '0.3'\n  s.summary = 's'\n  s.authors = ['a']\nend\n")
spec = Bundler.load_gemspec("own.gemspec")
p spec.full_name, spec.loaded_from == File.join(HOME, "own.gemspec"), spec.equal?(Bundler.load_gemspec("own.gemspec"))
File.write("broken.gem_spec", "\nraise 'boo'\n")
begin
  Bundler.load_gemspec("broken.gem_spec")
rescue Bundler::GemspecError => error
  puts error.message.gsub(HOME, "DIR")
end

preserver = Bundler::EnvironmentPreserver.new({ "PATH" => "a", "GEM_HOME" => "", "X" => "y" }, %w[PATH GEM_HOME RUBYOPT])
p preserver.backup, Bundler::EnvironmentPreserver.new(preserver.backup.merge("PATH" => "z", "RUBYOPT" => "q"), %w[PATH GEM_HOME RUBYOPT]).restore
begin
  Bundler::SharedHelpers.filesystem_access("/x/y", :read) { raise Errno::EACCES }
rescue Bundler::PermissionError => error
  puts error.message, error.status_code
end
p Bundler.current_ruby.mri?, Bundler.current_ruby.on_31?, Bundler.current_ruby.jruby_31?, Bundler.which("no-such-command-here")

ui = Bundler::UI::Shell.new
ui.info "said"
ui.level = "warn"
ui.info "not said"
p ui.level, ui.level("error"), ui.level("debug"), ui.debug?
