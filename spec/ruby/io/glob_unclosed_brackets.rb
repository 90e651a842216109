# A bracket that is not closed matches nothing, however many there are and whatever is before it.
require "tmpdir"

Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    40.times { |number| File.write("file#{number}[x", "") }
    p Dir.glob("[" * 1000)
    p Dir.glob("*" + "[a" * 1000)
    p Dir.glob("[" * 1000 + "/x")
    p Dir.glob("file1[[]x"), Dir.glob("file1\\[x"), Dir.glob("[a-f]ile1[[-]x")
  end
end
p File.fnmatch("*[" + "ab" * 1_000, "b" * 1_000)
p File.fnmatch("[[/a", "[[/a", File::FNM_PATHNAME), File.fnmatch("[/]a", "/a", File::FNM_PATHNAME)
p File.fnmatch("[A-C]", "b", File::FNM_CASEFOLD), File.fnmatch("[c-a]", "a"), File.fnmatch("[c-a]", "b")
p File.fnmatch("[a-\\]]", "]"), File.fnmatch("[!]", "a"), File.fnmatch("[!a]", "b"), File.fnmatch("[\\", "\\")
p File.fnmatch("*[", "["), File.fnmatch("a[", "a"), File.fnmatch("a[]", "ab"), File.fnmatch("[é-ü]", "ö")
