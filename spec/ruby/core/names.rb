# Names of modules under nameless ones, of methods that were defined from others, and scopes of `private` in a String.
def plain(text) = text && text.gsub(/0x\h+/, "0x")
outer = Module.new
module outer::Inner
  class Deep; end
end
p plain(outer.name), plain(outer::Inner.name), plain(outer::Inner::Deep.to_s)
outer::Other = Class.new
p plain(outer::Other.name), plain(outer::Other.new.inspect)
kept = outer::Inner
outer.send(:remove_const, :Inner)
p plain(kept.name)
Named = outer
p outer.name, outer::Other.name, plain(kept.name)
class << Object.new
  class Under; end
  p plain(Under.name)
end
class Source
  def original = [__method__, __callee__]
  define_method(:renamed, instance_method(:original))
  alias again renamed
  define_method(:is_it?, Kernel.instance_method(:is_a?))
end
%i[renamed again is_it?].each { |name| p Source.instance_method(name).original_name, Source.instance_method(name).name }
p Source.new.renamed, Source.new.again
class Visible
  eval("private")
  def one; end
  eval("private; def two; end")
  module_eval("private")
  def three; end
end
p Visible.public_instance_methods(false).sort
module Closed
  class Hidden; end
  module Kept; end
  private_constant :Hidden, :Kept
  class Hidden; end
end
["class Closed::Hidden; end", "Closed.module_eval { class self::Hidden; end }", "module Closed::Kept; end"].each do |source|
  eval(source)
rescue NameError => error
  puts error.message
end
p 1.then.size, 1.yield_self.size
p eval("__dir__", nil, "some/file.rb"), eval("__dir__", nil, "file.rb")
warned = []
Warning.singleton_class.send(:define_method, :warn) { |text, category: :none| warned << [text, category] }
warn "one"
warn "two", category: :deprecated
warn "three", category: "experimental"
p warned
