require "delegate"
def t(n); r = begin; yield.inspect; rescue Exception => e; "#{e.class}: #{e.message}"; end; puts "#{n}: #{r}"; end
e = SystemCallError.new(0)
t(1) { [SimpleDelegator.new(e) == e, e == SimpleDelegator.new(e), e == 1, e == "x"] }
t(2) { [RuntimeError.new == RuntimeError.new, RuntimeError.new == RuntimeError.new("RuntimeError"), RuntimeError.new("a") == RuntimeError.new("a"), RuntimeError.new("a") == StandardError.new("a")] }
class Shown < RuntimeError; def message = "#{super} #{object_id}"; end
t(3) { e = (raise Shown, "a" rescue $!); [Marshal.load(Marshal.dump(e)) == e, e == Shown.new("a")] }
class Fz; def initialize; @a = 1; freeze; end; def inspect; @a = 2; super; end; def set; @a = 3; end; end
t(4) { Fz.new.set }
class Missing
  def method_missing(name, *args) = super
  def respond_to_missing?(*) = true
  private def hidden = 1
  protected def guarded = 1
end
[:hidden, :guarded, :none].each { |name| t(name) { begin; Missing.new.public_send(name); rescue NoMethodError => e; [e.message[/\A\S+ method `\w+'/], e.backtrace.first[/in .*/]]; end } }
class Plain; end
t(5) { [Plain.instance_method(:initialize).arity, Plain.instance_method(:initialize).parameters, BasicObject.instance_method(:initialize).arity] }
t(6) { Plain.new(1) }
class Many; def self.new(*) = super; end
t(7) { Many.new(1, 2) }
class Own < RuntimeError; def backtrace = ["x#{object_id}"]; end
t(8) { [Own.new("a") == Own.new("a"), Marshal.dump(Own.new("a")).include?("bt0")] }
