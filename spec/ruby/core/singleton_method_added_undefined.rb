# A hook that was undefined is missed.
class Without
  class << self
    undef_method :singleton_method_added
  end
  begin
    def self.foo; end
  rescue NoMethodError => e
    puts e.message.lines.first
  end
end
object = Object.new
class << object
  def method_missing(*args) = (p args)
  undef_method :singleton_method_added
end
object.define_singleton_method(:baz) {}
def object.last; end
number = 1.5
begin
  def number.x; end
rescue TypeError => e
  puts e.message.lines.first
end
