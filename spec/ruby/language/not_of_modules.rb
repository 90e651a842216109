# `!` that a module, a class, a list or a text has of its own.
module Named; def !; "not #{inspect}"; end; end
class Kind < Module; include Named; def inspect = "kind"; end
kind = Kind.new
p !kind, (not kind), [!kind], (!kind).size
class List < Array; def !; "no list"; end; end
class Text < String; def !; "no text"; end; end
class Table < Hash; def !; "no table"; end; end
p !List.new, !Text.new, !Table.new, ![], !"", !({})
own = Class.new { class << self; def !; "no class"; end; end }
p !own, !Class.new, !Kernel
3.times { |at| p !(at == 1 ? own : at == 2 ? nil : Object) }
text = +"a"
def text.!; "single"; end
p !text, !"a"
puts "taken" if !kind
puts "left" unless !kind
