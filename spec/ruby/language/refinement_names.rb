# How refinements are shown: by the names that the class and the module have by then.
outer = Module.new
refined = Class.new
made = nil
outer.module_eval { made = refine(refined) { def text = 1 } }
puts made.inspect.gsub(/0x\h+/, "0x"), made.name.inspect
Refined = refined
puts made.inspect.gsub(/0x\h+/, "0x")
Outer = outer
puts made.inspect, made.to_s, made.instance_method(:text).inspect
Made = made
puts made.inspect, made.name
begin
  made.module_eval { nothing }
rescue NameError => error
  puts error.message.lines.first
end
begin
  Made.nothing
rescue NoMethodError => error
  puts error.message.lines.first
end
class Kind < Module; end
Other = Kind.new
begin
  Other.nothing
rescue NoMethodError => error
  puts error.message.lines.first
end
