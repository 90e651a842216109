$stderr = $stdout
$VERBOSE = nil
ObjectSpace.define_finalizer(Object.new, proc { puts "raises"; raise "in a finalizer" })
