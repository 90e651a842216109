# A module sees the constants of what Object includes.
module Tree; Run = 1; end
include Tree
module Spec
  WORK = -> { Run }
  p WORK.call
  class Foo; p Run; end
  p defined?(Run)
  p Spec.const_get(:Run), Spec.const_defined?(:Run), Spec.const_get("Tree::Run"), Spec.const_source_location(:Run)
  p((Spec.const_get(:Run, false) rescue $!.class))
end
p((Spec::Run rescue $!.class), (Spec::Foo::Run rescue $!.class), Object::Run)
p defined?(Spec::Run), defined?(Spec::Foo::Run), Spec.const_defined?("Foo::Run"), Spec.const_defined?("Run")
