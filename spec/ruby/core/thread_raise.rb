# An exception is asked for itself again in the thread that it is raised in.
class Asked < StandardError
  def exception(*args)
    puts "asked in #{Thread.current == Thread.main ? "main" : "other"} with #{args.map { |arg| arg.equal?(self) ? :self : arg }.inspect}"
    super
  end
end
asked = Asked.new("why")
thread = Thread.new do
  sleep
rescue Asked => error
  p error.equal?(asked), error.message
end
Thread.pass until thread.stop?
thread.raise(asked)
thread.join

begin
  Thread.current.raise(asked)
rescue Asked => error
  p error
end

# ... where it may leave by another way
class Leaving < StandardError
  def exception(*)
    throw :out, "left" if Thread.current[:home]
    super
  end
end
thread = Thread.new do
  Thread.current[:home] = true
  catch(:out) { sleep }
end
Thread.pass until thread.stop?
thread.raise(Leaving.new)
p thread.value

class Other < StandardError
  def exception(*) = Thread.current == Thread.main ? super : RuntimeError.new("instead")
end
thread = Thread.new do
  sleep
rescue => error
  p error
end
Thread.pass until thread.stop?
thread.raise(Other.new("first"))
thread.join
