# A `gem` of the program's own stays when rubygems is needed later.
module Kernel
  def gem(*names) = [:mine, *names]
  private :gem
end
p gem("x")
p Gem::Specification.name
p gem("x", "> 1")
Gem.loaded_specs
Gem::Version.new("1.2").bump
p gem("nothing")
