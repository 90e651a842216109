# a gem that is only on the load path has a specification all the same
Gem::Specification.singleton_class.prepend(Module.new { def find_by_name(name, *)
  super
rescue LoadError
  Gem::Specification.new { |s| s.name = name; s.version = "1"; s.require_paths = ["lib"] }
end })
