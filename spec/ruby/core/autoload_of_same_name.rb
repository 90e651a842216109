# A file being loaded may be what an autoload names: then its constant is not there yet, even if another folder of $LOAD_PATH has that file too.
require "tmpdir"

Dir.mktmpdir do |dir|
  %w[lib spec].each { |folder| Dir.mkdir("#{dir}/#{folder}") }
  File.write("#{dir}/lib/named.rb", "puts 'lib'\nNamed = 1\n")
  File.write("#{dir}/spec/named.rb", "puts 'spec'\np((Named rescue $!.class))\n")
  File.write("#{dir}/spec/other.rb", "puts 'other'\np((Named rescue $!.class))\n")
  $LOAD_PATH.unshift("#{dir}/lib", "#{dir}/spec")
  autoload :Named, "named"
  require "#{dir}/spec/named.rb"
  require "other"
  p require("named"), autoload?(:Named)
  $LOAD_PATH.shift(2)
end
