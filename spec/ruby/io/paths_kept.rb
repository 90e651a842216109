# Slashes that Dir.glob keeps, and names that are refused.
require "tmpdir"
Dir.mktmpdir do |folder|
  Dir.chdir(folder)
  Dir.mkdir("a")
  Dir.mkdir("a/b")
  File.write("a/f", "")
  File.write("a/b/g", "")
  root = File.realpath(folder)
  ["a//f", "a///f", "a//*", "*//f", "*//*", "a//", "a///", "{a,none}//f", "**/f", "**/b/", "a/**/g", "a//**/g", "./a//f", "#{root}//a//*", "/#{root}/a/*", "a//b//*"].each do |pattern|
    p Dir.glob(pattern).map { |path| path.gsub(root, "ROOT") }
  end
  p Dir.glob("b//*", base: "a"), Dir["a//f", "a/f"]
  p((File.fnmatch("a\0z", "a") rescue $!), (File.fnmatch("a", "a\0") rescue $!.class))
  queue = Thread::Queue.new
  thread = Thread.new { [queue.pop, (Dir.chdir(root) rescue $!), (Dir.chdir(root) {} rescue $!)] }
  Dir.chdir("a") { queue << 1; p thread.value, Dir.chdir("b") { Dir.pwd.delete_prefix(root) } }
  Dir.chdir("/")
end
