# `gem build`: files, options, errors and warnings, and what the packages hold.
require "rubygems/commands/build_command"
require "rubygems/package"
require "rubygems/mock_gem_ui"
require "tmpdir"
require "zlib"
require "digest"
require "fileutils"
require "yaml"

ENV["SOURCE_DATE_EPOCH"] = "1600000000"
umask = File.umask(0o022)

def build(*args)
  ui = Gem::MockGemUi.new
  place = Dir.pwd
  begin
    Gem::DefaultUserInteraction.use_ui(ui) { puts "=> #{Gem::Commands::BuildCommand.new.invoke(*args).inspect}" }
  rescue Gem::MockGemUi::TermError => error
    puts "=> ends with #{error.exit_code}"
  rescue StandardError => error
    puts "=> #{error.class}: #{error.message}"
  end
  puts ui.output.gsub(place, "DIR"), ui.error.gsub(place, "DIR")
end

def entries(data)
  require "stringio"
  found = {}
  Gem::Package::TarReader.new(StringIO.new(data)) { |tar| tar.each { |entry| found[entry.full_name] = [entry.header.mode.to_s(8), entry.header.mtime, entry.read.to_s] } }
  found
end

def show(file)
  outer = entries(File.binread(file))
  outer.each { |name, (mode, time, _)| puts "#{name} #{mode} #{time}" }
  puts Zlib.gunzip(outer["metadata.gz"][2])
  entries(Zlib.gunzip(outer["data.tar.gz"][2])).each { |name, (mode, time, text)| puts "  #{name} #{mode} #{time} #{text.bytesize}" }
  sums = YAML.load(Zlib.gunzip(outer["checksums.yaml.gz"][2]))
  sums.each { |kind, each| each.each { |name, sum| puts "#{kind} #{name} #{sum == Digest.const_get(kind).hexdigest(outer[name][2])}" } }
end

def spec(file, name, body)
  File.write(file, "Gem::Specification.new do |s|\n  s.name = #{name.inspect}\n  s.version = '1.0'\n  s.summary = 'Sum'\n  s.authors = ['Me']\n#{body}\nend\n")
end

Dir.mktmpdir do |dir|
  Dir.chdir(File.realpath(dir)) do
    build
    build("nothing")
    FileUtils.mkdir_p(%w[lib/deep bin test other])
    File.write("lib/a.rb", "A = 1\n")
    File.write("lib/deep/b.rb", "B = 2\n" * 500)
    File.write("bin/tool", "#!/usr/bin/env ruby\n")
    File.chmod(0o755, "bin/tool")
    File.write("test/t.rb", "")
    File.write("README", "Read\n")
    spec("one.gemspec", "one", <<~BODY)
      s.files = Dir["lib/**/*"]
      s.test_files = ["test/t.rb"]
      s.executables << "tool"
      s.extra_rdoc_files = ["README"]
      s.license = "MIT"
      s.homepage = "https://example.com/one"
      s.description = "Longer"
      s.add_dependency "rake", "~> 13.0"
      s.add_development_dependency "rspec", ">= 3.1.2"
      s.add_dependency "later", ">= 0"
      s.add_dependency "newer", "> 1"
      s.add_dependency "pre", "~> 1.0.a"
      s.metadata = { "source_code_uri" => "https://example.com/src", "x" => "y" }
    BODY
    build
    show("one-1.0.gem")
    build("one", "-o", "named.gem")
    build("one.gemspec", "--strict")
    build("one.gemspec", "--force", "--strict")
    p File.exist?("named.gem")
    spec("two.gemspec", "two", "s.files = %w[gone.rb lib/a.rb missing]")
    build
    build("two")
    build("two", "--force") rescue p $!.class
    spec("other/three.gemspec", "three", "")
    build("-C", "other")
    FileUtils.mv("other/three.gemspec", "other/third.gemspec")
    build("-C", "other", "third", "--platform", "java")
    show("other/three-1.0-java.gem")
    puts Dir["other/*"].sort
    Gem.platforms = []
    {
      "s.name = nil" => "", "s.summary = ''" => "", "s.authors = []" => "", "s.name = '1'" => "", "s.name = 'a b'" => "", "s.name = '-a'" => "",
      "s.require_paths = []" => "", "s.specification_version = '4'" => "", "s.homepage = 'ftp://x'" => "", "s.homepage = 'a b'" => "", "s.homepage = 'no'" => "",
      "s.metadata = 3" => "", "s.metadata = { a: 'x' }" => "", "s.metadata = { 'a' => 1 }" => "", "s.metadata = { 'a' * 129 => '' }" => "", "s.metadata = { 'a' => 'b' * 1025 }" => "",
      "s.metadata = { 'wiki_uri' => 'nowhere' }" => "", "s.licenses = ['x' * 65]" => "", "s.files = [1]" => "", "s.add_dependency 'a'; s.add_dependency 'a', '1'" => "",
      "s.authors = ['TO' + 'DO: me']" => "", "s.email = 'FI' + 'XME'" => "", "s.description = 'TO' + 'DO x'" => "", "s.summary = 'TO' + 'DO x'" => "",
      "s.files = ['bad-1.0.gem']" => "", "s.rubygems_version = '1'" => "", "s.executables = ['a']" => "", "s.cert_chain = nil" => "", "s.autorequire = 'x'; s.description = 'Sum'; s.rubyforge_project = 'p'" => "",
      "s.executables = ['nobang']; s.homepage = 'http://a.b'; s.licenses = ['MIT']" => "", "s.files = ['link', 'lib', 'secret']" => "", "s.extensions = ['Rakefile']; s.files = []" => "",
      "s.version = '1.0.b'; s.add_dependency 'q', '= 1.b'" => "", "s.licenses = ['mit', 'Apache 2', 'zzzzzzzzzzzzzzz', 'GPL-2.0+', 'GPL-3.0 WITH GCC-exception-3.1', 'LicenseRef-own']" => "",
      "s.license = 'Nonstandard'; s.extensions = ['ext/mkrf_conf.rb', 'ext/extconf.rb'];  s.files = []" => "", "s.signing_key = nil; s.author = 'One'; s.description = ''" => ""
    }.each_key.with_index do |line, index|
      File.write("bin/nobang", "no")
      File.write("bad-1.0.gem", "") unless File.exist?("bad-1.0.gem")
      File.symlink("README", "link") unless File.symlink?("link")
      File.write("secret", "")
      File.write("Rakefile", "")
      File.chmod(0o600, "secret")
      puts "--- #{line}"
      spec("bad#{index}.gemspec", "bad", line)
      build("bad#{index}.gemspec")
    end
    p Gem::Package.new("one-1.0.gem").contents
    p Gem::Package.new("one-1.0.gem").spec.metadata
    p Gem::Specification.new("a", "1").validate(false) rescue p $!.class, $!.message
  end
end
File.umask(umask)
