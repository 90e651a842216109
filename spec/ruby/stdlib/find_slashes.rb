# Paths that end in slashes.
require "find"
require "tmpdir"
require "pathname"

Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    Dir.mkdir("o")
    File.write("o/f", "")
    p Find.find("o/").to_a, Find.find("./").to_a.sort, Find.find("o//").to_a, Find.find("o").to_a
    p Pathname("o/").find.to_a.map(&:to_s)
  end
end
