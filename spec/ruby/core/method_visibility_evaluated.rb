# `private` in a String that a method evaluates holds for what the String defines, as in a block that is evaluated in a class.
def evaluated
  eval("private\ndef e1 = 1")
  Object.class_eval("private\ndef e2 = 1; attr_reader :e3; define_method(:e4) { 1 }")
  String.class_eval { private; attr_reader :e5; def e6 = 1; define_method(:e7) { 1 } }
  String.class_eval { private; eval("def e8 = 1; attr_reader :e9"); [1].each { def e10 = 1 } }
  def e11 = 1
end
public
evaluated
(1..11).each { |number| p [number, "".public_methods.include?(:"e#{number}")] }

class Scopes
  def self.evaluated
    instance_eval("private\ndef i1 = 1")
    instance_eval { private; def i2 = 1 }
    class_exec { private; def i3 = 1 }
    $made = Class.new(self) { private; def i4 = 1 }
    def i5 = 1
  end
  evaluated
end
p Scopes.singleton_class.private_instance_methods(false).sort, Scopes.private_instance_methods(false), $made.private_instance_methods(false)

# A hook that defines the method anew, as decorators do.
class Decorated
  def self.method_added(name)
    return if @busy

    @busy = true
    visibility = private_method_defined?(name) ? :private : protected_method_defined?(name) ? :protected : :public
    old = instance_method(name)
    define_method(:"plain_#{name}", old)
    class_eval("#{visibility}\ndef #{name} = [:#{visibility}, plain_#{name}]")
    @busy = false
  end
  def a = 1
  protected
  def b = 2
  private
  def c = 3
  public
  def d = 4
end
%i[a b c d].each { |name| p Decorated.new.send(name), (Decorated.new.public_send(name) rescue $!.message[/\A\w+ method/]) }
