# Programs ask whether a compiler to machine code runs.
p RubyVM::MJIT.enabled?, RubyVM::MJIT.class
begin
  RubyVM::MJIT.pause
rescue RuntimeError => error
  p error.message
end
p defined?(RubyVM::YJIT) ? RubyVM::YJIT.enabled? : false
