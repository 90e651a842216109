# RubyGems' settings and servers.
require "rubygems/config_file"
require "rubygems/source"
require "rubygems/source_list"
require "uri"
require "tmpdir"
Dir.mktmpdir do |folder|
  ENV.delete("GEMRC")
  config = Gem::ConfigFile.new(["--verbose", "x", "--config-file=#{folder}/none"])
  p config.args.size, config.verbose, config.backtrace, config.bulk_threshold, config.update_sources, config.sources, config.concurrent_downloads, config.cert_expiration_length_days, config["verbose"], config.really_verbose, config.path, config.home
  File.write("#{folder}/gemrc", ":verbose: loud\n:sources:\n- https://gems.test/\n:backtrace: true\ngem: --no-document\n:gemhome: /x\n")
  config = Gem::ConfigFile.new(["--config-file=#{folder}/gemrc"])
  p config.verbose, config.backtrace, config.sources, config[:gem], config["gem"], config.really_verbose, config.home, config.config_file_name.sub(folder, "~")
  File.write("#{folder}/other", ":bulk_threshold: 10\n")
  p Gem::ConfigFile.new(["--config-file=#{folder}/other"]).bulk_threshold, Gem::ConfigFile.new(["--config-file", "#{folder}/other", "--backtrace"]).backtrace
end
p Gem::ConfigFile::DEFAULT_BULK_THRESHOLD
source = Gem::Source.new("https://rubygems.org")
p source.uri.class, source.uri.to_s, source == Gem::Source.new("https://rubygems.org"), source.eql?(Gem::Source.new("https://a.test")), (source <=> Gem::Source.new("http://a.test")), source.hash == Gem::Source.new("https://rubygems.org").hash
list = Gem::SourceList.from(["http://a.test/", "http://b.test"])
p list.sources.size, list.to_a, list.first.uri.to_s, !!list.include?("http://a.test/"), list.include?(Gem::Source.new("http://b.test")), list.empty?, list == ["http://a.test/", "http://b.test"], list.map { |uri| uri }
list << "http://c.test"
list << "http://c.test"
list.delete("http://a.test/")
p list.to_a, list.dup.clear, list.to_a.size
