# Code that has assigned a class variable of a module goes on with it, even if an included module has come to have one of that name; other code does not.
module Base
  def initialize = instance_variable_set(@@slot ||= "@slot", nil)
end
module Value
  include Base
  def self.included(into)
    class << into
      def make
        made = allocate
        made.instance_variable_set(@@slot ||= "@slot", 1)
        made.__send__(:initialize)
        @@slot
      end
    end
  end

  def self.read = @@slot
end
def told
  yield
rescue RuntimeError => error
  error.message
end
class First
  include Value
end
3.times { p told { First.make } }
p told { Value.read }, told { Value.class_variable_get(:@@slot) }
p told { First.make }
class Second
  include Value
end
p told { Second.make }, told { First.make }
