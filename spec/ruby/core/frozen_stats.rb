# Figures of the machine that are put into a Hash, which must not be frozen; and constants of GC.
def tried
  p yield
rescue => error
  p error.class, error.message
end
tried { RubyVM.stat({}.freeze) }
tried { GC.stat({}.freeze) }
tried { RubyVM.stat({ kept: 1 }).keys.first }
tried { RubyVM.stat(1) }
tried { RubyVM.stat(:none) }
p GC::INTERNAL_CONSTANTS.class, GC::INTERNAL_CONSTANTS.frozen?, GC::INTERNAL_CONSTANTS.keys
p GC::OPTS.class, GC::OPTS.frozen?, GC::OPTS.all? { |option| option.is_a?(String) && option.frozen? }
p GC.constants.sort
