# `raise` hands a backtrace to `set_backtrace` of Ruby code when the exception has none.
class Counted < StandardError
  attr_reader :count

  def set_backtrace(lines)
    @count = (@count || 0) + 1
    super
  end
end

def rescued
  yield
rescue StandardError => e
  e
end

e = Counted.new("a")
p rescued { raise e }.count
p rescued { raise e }.count
p rescued { raise e, "other" }.count
p rescued { raise Counted }.count
p rescued { raise Counted }.backtrace.size

e = Counted.new("a")
e.set_backtrace(["x:1"])
p rescued { raise e }.count, e.backtrace
again = rescued { raise e, "m", ["y:2"] }
p again.count, again.backtrace, again.equal?(e)

p rescued { rescued { raise e }; raise e }.count
p (begin; begin; raise Counted; rescue Counted; raise; end; rescue Counted; $!.count; end)

# an exception that says itself that it has one
e = Counted.new("a")
def e.backtrace = ["own:1"]
p rescued { raise e }.count, e.backtrace
e = Counted.new("a")
def e.backtrace = nil
p rescued { raise e }.count

# one that keeps nothing has none yet
class Deaf < StandardError
  attr_reader :heard

  def set_backtrace(lines) = (@heard ||= []) << lines.class
end
e = Deaf.new
p rescued { raise e }.backtrace, rescued { raise e }.heard

# a thread's exception, too
thread = Thread.new { sleep }
thread.report_on_exception = false
Thread.pass until thread.stop?
thread.raise(Counted)
p rescued { thread.join }.count
