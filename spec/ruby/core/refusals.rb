# What Module's own methods refuse, and fibers of other threads.
def try
  p yield
rescue FiberError, TypeError, NameError, FrozenError => error
  puts "#{error.class}: #{error.message.gsub(/0x\h+/, "0x").lines.first}"
end
%i[append_features prepend_features extend_object].each do |name|
  try { Module.instance_method(name).bind(Class.new).call(Module.new) }
end
class Known; end
try { Known.singleton_class.send(:undef_method, :nope) }
try { Known.send(:undef_method, :nope) }
try { Module.new.freeze.autoload(:Nope, "nope") }
p Object.constants.include?(:TOPLEVEL_BINDING), $FILENAME
try { $FILENAME = "-" }
fiber = Fiber.new { Fiber.yield 1; 2 }
Thread.new { try { fiber.resume } }.join
try { fiber.resume }
Thread.new { try { fiber.raise("x") }; try { fiber.transfer } }.join
try { fiber.resume }
class Noted
  def self.method_added(name)
    p [name, caller_locations(1, 1).first.lineno]
  end
  def one

  end

  def two; end
end
