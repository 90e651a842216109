# The order of ancestors after modules have been included into and prepended to each other in many orders.
module M1; end
module M2; end
module M3; end
M2.include M3
M3.include M1
M3.prepend M1
p M2.include?(M1), M2 < M1, M2.ancestors
[-> { M1.prepend M2 }, -> { M1.include M2 }, -> { M1.include M1 }].each do |cyclic|
  cyclic.call
rescue ArgumentError => error
  p error
end
module Late; end
module A; include Late; end
module B; include A; end
class C; include B; end
module B; prepend Late; end
p C.ancestors.first(5)
module N0; end
module N1; end
module N2; include N1; include N0; end
module N3; include N0; end
class Both; prepend N3; prepend N2; end
p Both.ancestors.first(5)
class Incl; include N3; include N2; end
p Incl.ancestors.first(5)

module Twice; def it = [:twice] + (defined?(super) ? super : []); end
class Upper; include Twice; end
class Lower < Upper; prepend Twice; def it = [:lower] + super; end
p Twice.instance_method(:it).bind(Lower.new).call, Twice.instance_method(:it).bind_call(Lower.new), Twice.instance_method(:it).bind_call(Upper.new)

# a small generator of its own, so that every run makes the same programs
state = 77
pick = ->(count) { state = (state * 1103515245 + 12345) & 0x7fffffff; (state >> 8) % count }
30.times do
  modules = 5.times.map { |index| Module.new { define_singleton_method(:inspect) { "m#{index}" } } }
  classes = []
  4.times do |index|
    superclass = classes.empty? || pick.(3) == 0 ? Object : classes[pick.(classes.size)]
    classes << Class.new(superclass) { define_singleton_method(:inspect) { "c#{index}" } }
  end
  done = Array.new(9) do
    to = pick.(2) == 0 ? modules[pick.(5)] : classes[pick.(4)]
    how = pick.(3) == 0 ? :prepend : :include
    to.send(how, module_ = modules[pick.(5)])
    "#{to.inspect}.#{how} #{module_.inspect}"
  rescue ArgumentError => error
    error.message
  end
  puts done.join("; "), "  " + (classes + modules).map { |each| each.ancestors.take_while { |ancestor| ancestor != Object }.inspect }.join(" ")
end
