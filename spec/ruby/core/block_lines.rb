# The line at which a block begins.
def it(*, **, &b) = puts(b.source_location[1])
it "a" +
   "b" do
  1
end
it("a",
  "b") { 2 }
x = Object.new
def x.it(*, &b) = (puts(b.source_location[1]); self)
x
  .it { 3 }
  .it(1,
   2) do
  end
x.it 1, [
  2
] do
end
it [1].map { |z|
  z
} do
  2
end
l = lambda do |y,
  z|
end
p l.source_location[1]
l2 = ->(a,
  b) {
  3
}
p l2.source_location[1]
pr = proc \
  do
  end
p pr.source_location[1]
define_method(
  :q
) do
  1
end rescue self.class.send(:define_method,
  :q) do
  1
end
p method(:q).source_location[1]
def self.m(a,
  b)
end
p method(:m).source_location[1]
it "a",
  k: 1,
  z: 2 do |a|
end
