# `defined?` runs each call of a chain once, and sees refinements.
$calls = 0
def step
  $calls += 1
  self
end
class Object
  def step_on
    $calls += 1
    self
  end
end
p defined?(step), $calls
[-> { defined?(step.step_on) }, -> { defined?(step.step_on.step_on) }, -> { defined?(step.step_on.gone.step_on) }, -> { defined?(step.step_on.step_on.gone) }].each do |ask|
  $calls = 0
  p ask.call, $calls
end

module Refining
  refine Integer do
    def doubled = self * 2
  end
end
class Plain
  p defined?(1.doubled)
end
class Refined
  using Refining
  p defined?(1.doubled), defined?(1.doubled.doubled), Module.used_modules
end

# A pattern that is no regexp is a syntax error where it is a literal.
begin
  eval('/[a-\d]/')
rescue SyntaxError => error
  puts error.message
end
begin
  Regexp.new('[a-\d]')
rescue RegexpError => error
  puts error.message
end

# Integers in a flip-flop are numbers of lines.
reader, writer = IO.pipe
writer << "a\nb\nc\nd\ne\n"
writer.close
reader.each_line { |line| print line if 2..4 }
