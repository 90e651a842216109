# A thread's variable may be nil; a fiber's that is set to nil is gone.
thread = Thread.new { Thread.stop }
thread.thread_variable_set(:a, nil)
p thread.thread_variables, thread.thread_variable?(:a), thread.thread_variable_get(:a)
thread.thread_variable_set(:b, 1)
thread.thread_variable_set(:a, 2)
p thread.thread_variables, thread.thread_variable?(:a)
thread.thread_variable_set(:b, nil)
p thread.thread_variables
thread[:x] = 1
p thread.keys, thread.key?(:x)
thread[:x] = nil
p thread.keys, thread.key?(:x)
p SystemCallError.new("x", 0), SystemCallError.new(0).errno, SystemCallError.new(0).class
