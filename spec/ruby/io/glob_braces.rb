# Dir.glob: the order of what patterns with braces find, where they are expanded, and where `.` is found.
require "tmpdir"
require "fileutils"

Dir.mktmpdir do |folder|
  Dir.chdir(folder)
  %w(x y).product(%w(a b)).each do |outer, inner|
    FileUtils.mkdir_p("#{outer}/#{inner}")
    FileUtils.touch("#{outer}/#{inner}/foo")
  end
  FileUtils.touch(%w(f.rb g.py x/f.rb x/g.py y/f.rb))
  [
    "**/{b,a}/foo", "{y,x}/{b,a}/foo", "*/{b,a}/*", "*.{py,rb}", "**/*.{py,rb}", "{y,x}/*.{py,rb}", "{x,y}/**/foo", "**/{a/foo,b/foo}", "{**/b,**/a}/foo",
    "x{/a,/b}/foo", "**/{a,b,c,}/foo", "x/{a,}", "x/{a,b}/", "{x,}", "x/{,a/}foo", "**/{a,}", "*/{a,c}", "x/\\{a}", "[xy]/{a,b}/f*", "{a,b", "x/{a", "a}",
    "x/{a,{b,c}}/foo", "**/*{o,b}", "**/{f,g}.*", "*{.rb,.py}", "{*.rb,*.py}", "x/a/{foo,bar}", "*/a/{foo,bar}", "**/a/{foo,bar}",
    "**/{a,b}/**/{foo,bar}", "{x,y}/{a,b}/{foo,bar}", "x//{a,b}/foo", "./{x,y}/a", "x/{a,b}{/foo,}", "*/{a,b}{/foo,}", ""
  ].each do |pattern|
    p [pattern, Dir.glob(pattern), Dir.glob(pattern, base: "x"), Dir.glob(pattern, File::FNM_DOTMATCH), Dir[pattern, "f.rb"].size]
  end
  ["*/*", "*/a/*", "x/*", "x/*/*", "**/a/*", "*/.*", "x/*/.*", ".*/*", "{x,y}/*"].each { |pattern| p [pattern, Dir.glob(pattern), Dir.glob(pattern, File::FNM_DOTMATCH)] }
  p Dir.glob("{#{folder}/x,y}/a").map { |path| path.delete_prefix(folder) }, Dir.glob("#{folder}/{x,y}/{b,a}/foo").map { |path| path.delete_prefix(folder) }
  Dir.chdir("/")
end
