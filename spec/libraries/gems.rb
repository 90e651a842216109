# Gems of pure Ruby, built here as archives: found, unpacked, checked, and refused by name where they may not be trusted.
require "digest"
require "fileutils"
require "stringio"
require "zlib"

HOME = Dir.pwd
def try
  shown = yield
  puts shown.is_a?(String) ? shown : shown.inspect
rescue LoadError, StandardError => error
  puts "#{error.class}: #{error.message.gsub(HOME, "HOME").sub(/among \d+ /, "among ")}"
end

def tar(entries)
  entries.map do |name, body, kind = "0", link = ""|
    header = [name, "0000644", "0000000", "0000000", format("%011o", body.bytesize), "00000000000", " " * 8, kind, link, "ustar", "00"].pack("a100a8a8a8a12a12a8aa100a6a2x247")
    header[148, 8] = format("%06o\0 ", header.sum(32))
    header + body + "\0" * (-body.bytesize % 512)
  end.join + "\0" * 1024
end
def gz(text) = Zlib.gzip(text)

# The archive of a gem; `files` by name, or entries of its data.
def gem_file(name, version, files, extensions: [], spoil: false, sums: true)
  entries = files.is_a?(Hash) ? files.to_a : files
  metadata = <<~YAML
    --- !ruby/object:Gem::Specification
    name: #{name}
    version: !ruby/object:Gem::Version
      version: #{version}
    platform: ruby
    summary: made by a test
    dependencies: []
    require_paths:
    - lib
    extensions: #{extensions.inspect}
    files:
    #{entries.map { |entry| "- #{entry[0]}" }.join("\n")}
  YAML
  parts = { "metadata.gz" => gz(metadata), "data.tar.gz" => gz(tar(entries)) }
  sums_text = "---\nSHA256:\n#{parts.map { |part, data| "  #{part}: #{spoil ? "0" * 64 : Digest::SHA256.hexdigest(data)}\n" }.join}"
  parts["checksums.yaml.gz"] = gz(sums_text) if sums
  path = File.join("vendor/gems", "#{name}-#{version}.gem")
  File.binwrite(path, tar(parts.to_a))
  path
end

FileUtils.mkdir_p("vendor/gems")
ENV["HOME"] = HOME
ENV["GEM_HOME"] = File.join(HOME, "home")

# two that cookbooks of the public corpus ask for and Chef lacks, as small as their users need
gem_file("rainbow", "3.1.1", { "lib/rainbow.rb" => <<~RUBY })
  def Rainbow(text) = Rainbow::Presenter.new(text)
  module Rainbow
    class Presenter < String
      { red: 31, green: 32, yellow: 33 }.each { |name, code| define_method(name) { Presenter.new("\\e[\#{code}m\#{self}\\e[0m") } }
    end
  end
RUBY
gem_file("deepsort", "0.4.5", { "lib/deepsort.rb" => <<~RUBY })
  class Hash
    def deep_sort = sort_by { |key, _| key.to_s }.to_h { |key, value| [key, value.respond_to?(:deep_sort) ? value.deep_sort : value] }
  end
  class Array
    def deep_sort = map { |each| each.respond_to?(:deep_sort) ? each.deep_sort : each }.sort_by(&:to_s)
  end
RUBY
try { require "rainbow" }
try { Rainbow("x").red }
try { require "deepsort" }
try { { b: [3, 1], a: { d: 1, c: 2 } }.deep_sort }
try { require "rainbow" }
try { Gem.loaded_specs.keys.sort }
try { gem "rainbow", "~> 2" }
try { gem "absent" }

gem_file("climber", "1.0", [["lib/climber.rb", "X = 1"], ["../../outside.rb", "bad"]])
gem_file("rooted", "1.0", [["lib/rooted.rb", "X = 1"], ["/tmp/rooted_outside.rb", "bad"]])
gem_file("linked", "1.0", [["lib/linked.rb", "X = 1"], ["lib/passwd", "", "2", "/etc/passwd"]])
gem_file("hardlinked", "1.0", [["lib/hardlinked.rb", "X = 1"], ["lib/passwd", "", "1", "/etc/passwd"]])
gem_file("spoiled", "1.0", { "lib/spoiled.rb" => "X = 1" }, spoil: true)
gem_file("unsummed", "1.0", { "lib/unsummed.rb" => "X = 1" }, sums: false)
gem_file("compiled", "1.0", { "lib/compiled.rb" => "X = 1", "ext/extconf.rb" => "" }, extensions: ["ext/extconf.rb"])
Gem.refresh
%w(climber rooted linked hardlinked spoiled unsummed compiled).each { |name| try { require name } }
puts "outside: #{Dir.glob(["outside.rb", "**/outside.rb", "/tmp/rooted_outside.rb"]).inspect}"
File.binwrite("vendor/gems/torn-1.0.gem", File.binread("vendor/gems/rainbow-3.1.1.gem")[0, 700])
Gem.refresh
try { require "torn" }

# the other ways: a folder as `gem install --install-dir` leaves it, bare folders, and dependencies between gems
def installed(home, name, version, body, extra = "")
  FileUtils.mkdir_p([File.join(home, "specifications"), File.join(home, "gems/#{name}-#{version}/lib")])
  File.write(File.join(home, "specifications/#{name}-#{version}.gemspec"), <<~RUBY)
    Gem::Specification.new do |s|
      s.name = "#{name}".freeze
      s.version = "#{version}"
      s.required_rubygems_version = Gem::Requirement.new(">= 0".freeze) if s.respond_to? :required_rubygems_version=
      s.require_paths = ["lib".freeze]
      #{extra}
    end
  RUBY
  File.write(File.join(home, "gems/#{name}-#{version}/lib/#{name}.rb"), body)
end
def bare(folder, name, body, gemspec = nil)
  FileUtils.mkdir_p(File.join(folder, name, "lib"))
  File.write(File.join(folder, name, "lib/#{name[/\A[a-z_]+/]}.rb"), body)
  File.write(File.join(folder, name, "#{name}.gemspec"), gemspec) if gemspec
end
installed("path", "base", "1.5", "BASE = '1.5'")
installed("path", "base", "2.5", "BASE = '2.5'")
installed("path", "user", "1.0", "require 'base'; USER = BASE", 's.add_runtime_dependency(%q<base>.freeze, ["~> 1.0"])')
installed("path", "lacking", "1.0", "LACKING = 1", 's.add_dependency("nowhere", ">= 3")')
installed("path", "standard", "1.0", "require 'json'; STANDARD = JSON.generate([1])", 's.add_dependency("json", ">= 99"); s.add_dependency("logger")')
installed("path", "conflicting", "1.0", "CONFLICTING = 1", 's.add_dependency("base", ">= 2")')
installed("path", "native", "1.0", "NATIVE = 1", 's.extensions = ["ext/native/extconf.rb"]')
bare("vendor/gems", "bare_one", "BARE_ONE = 1")
bare("vendor/gems", "bare_two-3.1", "BARE_TWO = 2", "Gem::Specification.new { |s| s.name = 'bare_two'; s.version = File.exist?('lib/bare_two.rb') ? '3.1' : '0' }")
bare("own", "toml", "OWN_TOML = 1")
ENV["GEM_PATH"] = File.join(HOME, "path")
Gem.refresh
try { [require("user"), USER, Gem.loaded_specs["base"].version.to_s] }
try { [require("bare_one"), BARE_ONE, Gem.loaded_specs["bare_one"].version.to_s] }
try { [require("bare_two"), BARE_TWO, Gem.loaded_specs["bare_two"].full_name] }
try { require "lacking" }
try { [require("standard"), STANDARD] }
try { require "conflicting" }
try { require "native" }
try { [require("toml"), defined?(OWN_TOML), TOML.respond_to?(:load)] }
try { Gem::Specification.find_all_by_name("base").map(&:full_name) }
try { Gem.find_files("bare_*").map { |path| path.sub(HOME, "HOME") }.sort }
# a folder of the load path goes before a library of rchef's own, as in Ruby
$LOAD_PATH.unshift(File.join(HOME, "own/toml/lib"))
FileUtils.mkdir_p("own/first")
File.write("own/first/abbrev.rb", "ABBREV = :own")
$LOAD_PATH.unshift(File.join(HOME, "own/first"))
try { [require("abbrev"), ABBREV, require("abbrev")] }
