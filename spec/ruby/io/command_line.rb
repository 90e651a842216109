# Options of the command line: loops over lines, in-place editing, separators, switches, lines #!ruby, RUBYOPT.
require "tmpdir"

own = File.readlink("/proc/self/exe")
INTERPRETER = File.basename(own).start_with?("rchef") ? [own, "ruby"] : [own]

def run(*words, input: "", **env)
  read, write = IO.pipe
  File.write("input", input)
  pid = spawn(env.transform_keys(&:to_s), *INTERPRETER, *words, in: "input", out: write, err: write)
  write.close
  text = read.read
  Process.wait(pid)
  # MRI names the program by its path
  puts text.gsub(/^\S*ruby[\d.]*: /, "ruby: "), [$?.exitstatus, $?.termsig].inspect
end

Dir.mktmpdir do |folder|
  Dir.chdir(folder)
  lines = "foo:bar\nqux:quux\n"
  run("-ne", "puts $_.upcase if /o/", input: lines)
  run("-pe", "$_.tr!('o', '0'); next if $. == 2; $_ << 'x'", input: lines)
  run("-lpe", "sub(/o+/) { $&.upcase }; gsub(':', ' ')", input: lines)
  run("-F:", "-lane", "puts $F.last; BEGIN { puts 'begin' }; END { puts $. }", input: lines)
  run("-nle", "chop; p $_; chomp('ba'); p $_", input: lines)
  run("-e", "p [$-p, $-l, $-a, $-i, $;, $/, $\\]", "-e", "p ARGV", "a", "-b")
  run("-plae", "p [$-p, $-l, $-a, $\\]", input: "x\n")
  %w[-0 -00 -0777 -0157].each { |zero| run(zero, "-ne", "p $_", input: "foo\n\n\nb\0ar\n") }
  run("-e", "sub('a', 'b')")
  run("-ne", "BEGIN { chop }", input: "")

  File.write("a", "1\n2\n")
  run("-i.bak", "-pe", "$_ << '!' if $. == 1", "a")
  p File.read("a"), File.read("a.bak")
  run("-i", "-ne", "print unless /2/; p $-i", "a")
  p File.read("a"), Dir.children(".").sort

  File.write("flags", "#!/usr/bin/env ruby -s\np [$name, $with_hyphen, ARGV]\n")
  run("flags", "-name", "-with-hyphen=value", "--", "-rest")
  File.write("loop", "#!ruby -p\n$_.upcase!\n")
  run("loop", "a")
  File.write("late", "#!/bin/sh\nexec something\n#!ruby -l\nprint __LINE__\n__END__\ndata\n")
  run("late")
  run("-x", "late")
  File.write("other", "#!/bin/sh\necho\n")
  run("other")
  run("-", input: "p DATA.read, $stdin.read\n__END__\nrest\n")

  run("-W0", "-e", "p $VERBOSE, Warning[:deprecated], Warning[:experimental]")
  run("-w", "-e", "p $VERBOSE, Warning[:deprecated]")
  run("-W:no-experimental", "-We", "p $-W, Warning[:experimental]")
  run("-W:other", "-e", "p 1")
  run("--disable=gems", "-e", "p defined?(Gem), defined?(DidYouMean); foo")
  run("--disable-error_highlight", "-e", "1.foo(2)")
  run("--enable=frozen-string-literal", "-e", "p 'a'.frozen?")
  run("--enable=nonsense", "-e", "")
  run("-Ke", "-e", "p __ENCODING__, Encoding.default_external")
  run("-Eutf-8:euc-jp", "-e", "p Encoding.default_external, Encoding.default_internal")
  run("-Eutf-8", "-Eascii", "-e", "1")
  run("--encoding=nonsense", "-e", "1")
  run("--backtrace-limit=1", "-e", "def f(n) = n > 0 ? f(n - 1) : raise('deep')", "-e", "f(4)")
  run("-e", "p Thread::Backtrace.limit")
  %w[-Z --nonsense -e --enable -E --backtrace-limit=-1].each { |wrong| run(wrong) }
  run("-rset", "-ce", "p Set")
  run("-e", "p $VERBOSE, $DEBUG", RUBYOPT: "-w")
  run("-W0", "-e", "p $VERBOSE", RUBYOPT: "-w")
  run("-e", "p 1", RUBYOPT: "-e2")
  run("--disable=rubyopt", "-e", "p $VERBOSE", RUBYOPT: "-w")
  Dir.chdir("/")
end

# A program whose reader has gone ends by SIGPIPE, without a word.
pipe = IO.popen([*INTERPRETER, "-e", "$stdout.sync = true; loop { puts 'line' }", err: [:child, :out]])
pipe.gets
pipe.close
p $?.termsig
IO.popen([*INTERPRETER, "-e", "$stdout.sync = true; begin; loop { puts 'line' }; rescue Errno::EPIPE; warn $!.message; end", err: %w[/dev/null w]], &:gets)
p $?.exitstatus
