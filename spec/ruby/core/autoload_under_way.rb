# While a file is being loaded, what it assigns to its autoloads is seen by the thread that loads it.
require "tmpdir"
def state(name) = [eval("defined?(Auto::#{name})"), Auto.const_defined?(name), Auto.constants.include?(name), Auto.autoload?(name) && :path]
Dir.mktmpdir do |dir|
  file = ->(name, text) { File.write("#{dir}/#{name}.rb", text); "#{dir}/#{name}.rb" }
  module Auto; end

  path = file.("direct", "$seen << state(:Direct)\nmodule Auto; Direct = 1; end\n$seen << state(:Direct)\n")
  Auto.autoload :Direct, path
  $seen = [state(:Direct)]
  require path
  p $seen << state(:Direct)

  path = file.("lacking", "$seen << state(:Lacking)\n")
  Auto.autoload :Lacking, path
  $seen = [state(:Lacking)]
  begin
    Auto::Lacking
  rescue NameError => e
    puts e.message.lines.first
  end
  p $seen << state(:Lacking)

  path = file.("threads", "$ask.push state(:Threads)\n$go.pop\nmodule Auto; Threads = 2; end\n$ask.push state(:Threads)\n$go.pop\n")
  Auto.autoload :Threads, path
  $ask, $go = Queue.new, Queue.new
  other = Thread.new do
    Array.new(2) do
      inner = $ask.pop
      outer = state(:Threads)
      $go.push 1
      [inner, outer]
    end
  end
  p Auto::Threads, *other.value, state(:Threads)

  path = file.("waits", "$order << :begin\nThread.pass until $second.stop?\nmodule Auto; Waits = 3; end\n$order << :end\n")
  Auto.autoload :Waits, path
  $order = []
  $second = Thread.new { Thread.pass until $order.include?(:begin); $order << [:second, Auto::Waits] }
  p Auto::Waits
  $second.join
  p $order

  path = file.("fails", "module Auto; Fails = 4; end\nraise 'no'\n")
  Auto.autoload :Fails, path
  begin
    Auto::Fails
  rescue RuntimeError => e
    puts e.message.lines.first
  end
  p Auto.const_defined?(:Fails)

  path = file.("own", "module Auto; autoload :Own, __FILE__; end\n$seen = [state(:Own)]\nmodule Auto; class Own; end; end\n$seen << state(:Own) << Auto::Own\n")
  require path
  p $seen << state(:Own)

  again = Auto.autoload(:Again, file.("again", "module Auto; Again = 5; end"))
  require "#{dir}/again"
  p again, state(:Again), Auto::Again
end
