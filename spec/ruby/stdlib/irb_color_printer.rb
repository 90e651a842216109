# IRB::ColorPrinter: pp with colours.
require "irb/color_printer"
class Pt; def initialize; @a = 1; @b = "x"; end; end
module IRB::Color; def self.colorable? = true; end
[1, "a\nb", [1, :a, nil], { a: 1, "b" => [2.5, "x" * 40, "y" * 40] }, Struct.new(:a, :b).new(1, 2), 1..2].each do |o|
  out = +""
  IRB::ColorPrinter.pp(o, out, 60)
  p out.gsub(/0x\h+/, "0x")
end
out = +""; IRB::ColorPrinter.pp(Pt.new, out, 60); p out.gsub(/0x\h+/, "0x")
p IRB::ColorPrinter.superclass
