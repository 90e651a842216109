# Reading a Gemfile.lock: sources, gems, platforms, versions.
require "tmpdir"
require "bundler"

LOCK = <<T
GIT
  remote: https://git.example.org/a/b.git
  revision: 0123456789abcdef0123456789abcdef01234567
  branch: main
  specs:
    b (1.0)
      rake (>= 10)

PATH
  remote: vendor/x
  specs:
    x (2.0.pre)

GEM
  remote: https://rubygems.org/
  specs:
    nokogiri (1.13.0-x86_64-linux)
      racc (~> 1.4, >= 1.4.1)
    racc (1.6.0)
    rake (13.0.6)

PLATFORMS
  ruby
  x86_64-linux

DEPENDENCIES
  b!
  nokogiri (>= 1.8, < 2)
  x (= 2.0.pre)!

RUBY VERSION
   ruby 2.7.5p203

BUNDLED WITH
   2.2.3
T
Dir.mktmpdir do |folder|
  Dir.chdir(folder)
  File.write("Gemfile", "")
  lock = Bundler::LockfileParser.new(LOCK)
  lock.sources.each do |source|
    puts source.class, source.identifier
    puts source.to_lock
  end
  git = lock.sources.first
  p git.uri, git.ref, git.branch, git.revision, lock.sources[1].path.to_s, lock.sources[2].remotes.map(&:to_s)
  lock.specs.each do |spec|
    p [spec.class, spec.full_name, spec.to_s, spec.source.class, spec.dependencies.map(&:to_s)]
    puts spec.to_lock
  end
  lock.dependencies.each_value { |each| puts "#{each.to_lock.chomp} #{each.source.class}" }
  p lock.platforms.map(&:to_s), lock.bundler_version, lock.ruby_version
  version = Bundler::RubyVersion.from_string(lock.ruby_version)
  p version.to_s, version.patchlevel, version.diff(Bundler::RubyVersion.new("3.0.1", nil, nil, nil)), version == Bundler::RubyVersion.new("2.7.5", "203", nil, nil)
  rake = lock.specs.find { |spec| spec.name == "rake" }
  p rake.satisfies?(Gem::Dependency.new("rake", "~> 13")), rake.satisfies?(Gem::Dependency.new("rake", "~> 12"))
  set = Bundler::SpecSet.new(lock.specs)
  p set.map(&:name), set.for([Gem::Dependency.new("b", ">= 0")], false, true).map(&:name)
  p Bundler::LockfileParser.unknown_sections_in_lockfile("CHECKSUMS\n  x\n#{LOCK}")
  ["<<<<<<< x\n", "GEM\n  remote: https://x.example.org\n  specs:\n    a (z..)\n"].each do |text|
    Bundler::LockfileParser.new(text)
  rescue Bundler::LockfileError => error
    puts error.message, error.status_code
  end
  Dir.chdir("/")
end
