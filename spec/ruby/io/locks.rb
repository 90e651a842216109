# A lock that is waited for, terminals after reopen, ids that are negative, copies of classes with a singleton initialize_copy.
require "tempfile"; require "timeout"; require "pty"; require "etc"
f = Tempfile.new("a")
a = File.open(f.path, "r+"); a.flock(File::LOCK_EX)
begin
  Timeout.timeout(0.2) { File.open(f.path, "r+") { |g| g.flock(File::LOCK_EX) } }
rescue Timeout::Error
  p $!.class
end
$order = []
t = Thread.new { File.open(f.path, "r+") { |g| g.flock(File::LOCK_EX); $order << :thread; g.flock(File::LOCK_UN) } }
sleep 0.05; $order << :main; a.flock(File::LOCK_UN); t.join
p $order
p a.flock(File::LOCK_EX | File::LOCK_NB), File.open(f.path, "r+") { |g| g.flock(File::LOCK_EX | File::LOCK_NB) }
PTY.open { |m, s| save = $stdout.dup; $stdout.reopen(s); t = $stdout.tty?; $stdout.reopen(save); p [t, $stdout.tty?] }
f = File.open("/dev/null"); f.tty?
PTY.open { |m, s| f.reopen(s); p f.tty? }
[-100, 4294967196, 99999, 2**32, -2**31-1, 2**31+5].each { |n| begin; Etc.getpwuid(n); rescue => e; p [e.class, e.message]; end; begin; Etc.getgrgid(n); rescue => e; p [e.class, e.message]; end }
class K
  class << self
    def initialize_copy(o) = super(o)
  end
end
L = Class.new(K)
p L.dup.class, L.clone.class, K.dup.class, L.dup.superclass
begin; L.send(:initialize_copy, K); rescue TypeError; p $!.message; end
