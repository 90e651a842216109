# What `super` in a `method_missing` reports depends on the form of the call.
class Missing
  def method_missing(name, *args) = super
  private def hidden; end
  protected def kept; end
end
class Below < Missing
  def upward = super
end
class Choosy
  def method_missing(name, *) = name == :known ? 1 : super
end

def report
  yield
rescue NameError => error
  puts [error.class, error.message.lines.first.chomp.sub(/0x\h+/, "0x"), error.name.inspect].join(" | ")
end
one = Missing.new
report { one.instance_eval { bare } }
report { one.instance_eval { called() } }
report { one.instance_eval { self.on_self } }
report { one.from_outside }
report { one.hidden }
report { one.kept }
report { one.public_send(:hidden) }
report { Below.new.upward }
report { Choosy.new.instance_eval { known; bare } }
report { Choosy.new.other }

# A setter on a variable that holds self is not a call on self.
class Setter
  def set
    me = self
    me.value = 1
  end
  def set_self
    self.value = 2
    p @value
  end
  private def value=(value)
    @value = value
  end
end
report { Setter.new.set }
Setter.new.set_self
