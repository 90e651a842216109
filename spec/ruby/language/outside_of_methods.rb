# `super` where no method runs, and `using` at the top level.
def tried
  yield
rescue NoMethodError => error
  p error.message, error.name
end

def argument = p(:argument)

begin
  super
rescue NoMethodError => error
  p error.message, error.name, error.args
end
begin
  super(argument) {}
rescue NoMethodError => error
  p error.message
end
class Body
  begin
    super()
  rescue NameError => error
    p error.class, error.message
  end
end
tried { super() }
tried { instance_eval { super() } }
tried { eval("super()") }
tried { -> { super }.call }
p defined?(super)
p using(Module.new), send(:using, Module.new)
