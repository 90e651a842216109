# A module that already has the other among its ancestors cannot be included there.
module Inner; end
module Outer; include Inner; end
p((Inner.include(Outer) rescue $!), Inner.ancestors, Outer.ancestors)
p((Inner.prepend(Outer) rescue $!), (Inner.include(Inner) rescue $!))
Inner.extend(Outer)
p Inner.singleton_class.include?(Outer)
