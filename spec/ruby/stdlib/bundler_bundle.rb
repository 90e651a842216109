# A bundle of gems in folders of their own: set up, loaded, locked; and what is said of gems that are missing.
require "tmpdir"
require "fileutils"
require "bundler"
Bundler.ui = Bundler::UI::Silent.new
HOME = File.realpath(Dir.mktmpdir)
at_exit { FileUtils.rm_rf(HOME) }

def gem_at(folder, name, version, files, *needs)
  needs = needs.map { |each| "s.add_dependency #{each.map(&:inspect).join(", ")};" }.join
  files = files.merge("#{name}.gemspec" => "Gem::Specification.new { |s| s.name = '#{name}'; s.version = '#{version}'; s.summary = 's'; s.authors = ['a']; #{needs} }\n")
  files.each do |path, text|
    path = File.join(folder, path)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
  end
end

def bundle(gemfile)
  folder = Dir.mktmpdir(nil, HOME)
  Dir.chdir(folder)
  File.write("Gemfile", "source 'https://rubygems.org'\n#{gemfile}")
  Bundler.reset!
  yield folder
rescue Bundler::BundlerError => error
  puts "#{error.class} (#{error.status_code}): #{error.message.gsub(folder, "DIR")}"
ensure
  puts "--"
  Dir.chdir("/")
end

bundle("gem 'one', path: 'one'\ngem 'two-more', path: 'two', group: :extra\ngem 'three', path: 'three', require: %w[three/a three/b]\ngem 'four', path: 'four', require: false\n") do |folder|
  gem_at("one", "one", "1.0", { "lib/one.rb" => "puts 'one'" }, ["three", "~> 3"])
  gem_at("two", "two-more", "2.0", { "lib/two/more.rb" => "puts 'two/more'" })
  gem_at("three", "three", "3.1", { "lib/three/a.rb" => "puts 'a'", "lib/three/b.rb" => "puts 'b'" })
  gem_at("four", "four", "4.0", { "lib/four.rb" => "puts 'four'" })
  puts Bundler.root.to_s == folder, Bundler.default_lockfile.basename, Bundler.definition.groups.inspect
  p Bundler.definition.specs.map(&:name), Bundler.definition.specs_for([:extra]).map(&:name), Bundler.definition.requires
  Bundler.setup
  puts $LOAD_PATH.grep(/\A#{folder}/).map { |path| path.sub(folder, "DIR") }
  puts File.read("Gemfile.lock").sub(/(PLATFORMS\n  ).*/, '\1HERE')
  Bundler.require
  Bundler.require(:extra)
  p %w[one two-more three four].map { |name| Gem.loaded_specs[name].full_name }, defined?(Four)
  p Bundler.load.dependencies.map(&:name), Bundler.locked_gems.inspect
  Bundler.with_unbundled_env { p ENV["BUNDLE_GEMFILE"], ENV["RUBYOPT"].to_s.include?("bundler") }
  p File.basename(ENV["BUNDLE_GEMFILE"]), ENV["BUNDLER_VERSION"]
end
bundle("gem 'not-there-at-all', '~> 9.9'\n") { Bundler.setup }
bundle("gem 'own', path: 'own'\n") do
  gem_at("own", "own", "1.0", {}, ["not-there-at-all", ">= 2"])
  Bundler.setup
end
bundle("gem 'left', path: 'left'\ngem 'right', path: 'right'\n") do
  gem_at("left", "left", "1.0", {}, ["right", "< 2"])
  gem_at("right", "right", "2.5", {})
  Bundler.require
end
bundle("gem 'own', path: 'nowhere'\n") { Bundler.setup }
bundle("gem 'own', '3', path: 'own'\n") do
  gem_at("own", "own", "1.0", {})
  Bundler.setup
end
bundle("ruby '1.9.3'\n") do
  Bundler.setup
rescue Bundler::RubyVersionMismatch => error
  puts error.message.sub(RUBY_VERSION, "HERE"), error.status_code
end
bundle("gem 'bad', path: 'bad'\n") do
  gem_at("bad", "bad", "1.0", { "lib/bad.rb" => "raise 'no good'" })
  Bundler.require
rescue Bundler::GemRequireError => error
  puts error.message.lines.first(2), error.orig_exception.class, error.status_code
end
