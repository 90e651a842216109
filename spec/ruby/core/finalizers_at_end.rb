# Finalizers run after at_exit handlers; their errors are warnings and do not change the status.
$VERBOSE = false
a = Object.new
ObjectSpace.define_finalizer(a, proc { puts "first" })
ObjectSpace.define_finalizer(a, proc { puts "second"; at_exit { puts "too late" } })
ObjectSpace.define_finalizer(a, proc { b = Object.new; ObjectSpace.define_finalizer(b, proc { puts "of a later one" }) })
c = Object.new
ObjectSpace.define_finalizer(c, proc { puts "undefined" })
ObjectSpace.undefine_finalizer(c)
at_exit { puts "exit 1"; at_exit { puts "nested" } }
at_exit { puts "exit 2"; exit 7 }
list = Array.new(20_000) { Object.new.tap { |object| ObjectSpace.define_finalizer(object, proc { }) } }
list.each { |object| ObjectSpace.undefine_finalizer(object) }
