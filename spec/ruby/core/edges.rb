# Traps, traced variables, methods made of methods, queues, weak maps and loaded times at their edges; warnings of a required file.
require "stringio"
require "tmpdir"
Dir.mktmpdir do |folder|
  File.write("#{folder}/warned.rb", "if x = 1\nend\n")
  $stderr = StringIO.new
  require "#{folder}/warned"
  said, $stderr = $stderr.string, STDERR
  puts said.sub(folder, "")
end
p trap(:USR1, :foo), trap(:USR1, "DEFAULT")
trap("EXIT", "DEFAULT"); p trap("EXIT","IGNORE"), trap("EXIT", "DEFAULT")
trace_var(:$l) { |v| $l = v + 1 }; $l = 1; p $l
alias $np $$
begin; $np = 1; rescue NameError => e; puts e.message; end
trace_var(:$fresh) {}; p untrace_var(:$fresh).size
def orig = __method__
define_method(:m7, method(:orig)); p m7
o = Object.new; def o.orig2 = __method__
o.define_singleton_method(:q, o.method(:orig2)); p o.q
begin; Queue.new.pop(timeout: 0.01); rescue ThreadError => e; p e.message; end
begin; SizedQueue.new(1).push(1, timeout: 1); p 1; end
w = ObjectSpace::WeakMap.new; k = "a"; w[k] = k; puts w.inspect.gsub(/0x\h+/, "0x")
t = Time.at(0).utc
s = Marshal.dump(Time.at(0, in: "+02:00"))
p Marshal.load(s)
p Marshal.load(Marshal.dump(Time.utc(70000, 5, 3)))
begin; Time.send(:_load, "\x00\x00\x00\xc0\x00\x00\x00\x00\xffabcd".b); rescue TypeError => e; p e.message; end
def t
  p yield
rescue StandardError => error
  puts "#{error.class}: #{error.message}"
end
# `using` in a string that is evaluated with a binding holds for the binding's scope
module Edge1; refine String do; def edge1 = 1; end; end
module Edge2; refine String do; def edge2 = 2; end; end
scope = binding
eval("using Edge1"); t { eval "'x'.edge1" }
scope.eval("using Edge2"); t { 'x'.edge2 }; t { scope.eval "'x'.edge2" }
# a fiber is of one thread; to kill the thread in it ends the thread
t { Thread.new { Fiber.new { Thread.current.kill; 1 }.resume; 2 }.value }
numbers = [1, 2, 3].each
numbers.next
t { Thread.new { Thread.current.report_on_exception = false; numbers.next }.value }
t { numbers.next }
