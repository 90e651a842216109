# Trace points that are switched on while classes are open, and class bodies that end by exceptions.
module M
  def self.included(klass)
    super
    $point = TracePoint.trace(:end, :raise) { |point| $seen << [point.event, point.method_id, point.lineno, point.self] }
  end
end
$seen = []
class B
  include M
  X = 1
end
$point.disable
$seen.each { |line| p line }
seen = []
point = TracePoint.new(:end, :class, :raise) { |it| seen << [it.event, it.lineno, it.self, it.binding.local_variables.size] }
point.enable
begin
  class C
    a = b = 1
    raise "err"
  end
rescue
end
module D
  class << self
    x = 1
  end
end
class E < Struct.new(:a); end
point.disable
puts seen.map(&:inspect)
