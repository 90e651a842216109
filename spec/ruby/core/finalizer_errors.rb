$stderr = $stdout
$VERBOSE = nil
ObjectSpace.define_finalizer(Object.new, proc { puts "raises"; raise "in a finalizer" })
ObjectSpace.define_finalizer(Object.new, proc { puts "exits"; exit 3 }) if ARGV[0]
