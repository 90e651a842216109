# What a program knows of its files without a working directory.
require "tmpdir"

Dir.mktmpdir do |dir|
  File.write("#{dir}/asks.rb", "def asked = [__dir__, caller_locations(0, 1)[0].absolute_path]\n")
  require "#{dir}/asks"
  gone = "#{dir}/gone"
  Dir.mkdir(gone)
  here = Dir.pwd
  Dir.chdir(gone)
  Dir.rmdir(gone)
  p asked.map { |path| path.sub(File.realpath(dir), "DIR") }
  Dir.chdir(here)
end
