# Commands of IRB that a program brings.
require "irb/cmd/nop"

class Greets < IRB::ExtendCommand::Nop
  def execute(name, mark: "!") = puts("#{irb_context} #{irb} #{name}#{mark} #{block_given?}")
end
context = Struct.new(:irb) { def to_s = "context" }.new("irb")
Greets.execute(context, "you")
Greets.execute(context, "all", mark: "?") { nil }
p IRB::ExtendCommand::Nop.execute(context, 1)
