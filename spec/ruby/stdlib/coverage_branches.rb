# Branches, counted with their places: conditions, loops, cases, patterns and `&.`, in the order of MRI's compiler.
require "coverage"
require "tmpdir"
src = DATA.read
path = "#{Dir.tmpdir}/coverage_branches_target.rb"
File.write(path, src)
Coverage.start(branches: true, lines: true)
load path
File.delete(path)
Coverage.result.each { |f, r| r[:branches].each { |k, v| p k, v } }
__END__
def a(x)
  if x == 1
    1
  elsif x == 2
    2
    3
  elsif x == 3

  else
    4

  end
  if x
  elsif x
    1
  end
  if x == 1 then (2) else ((3; 4)) end
  if x; begin; 1; end; else; foo rescue 3; end
  (x ? 1 : (x ? 2 : 3)) if x
  unless x
  else
    3
  end
  x&.to_s&.size
  x&.then { 1 }
  x&.instance_eval do 3 end
  x ||= 3
  case x
  when 1, 2
  when 3 then 4
    5
  when 4
  else
  end
  case
  when x then case x when 1 then 2 end
  end
  while x && x < 3
    x += 1
    break if x > 7
  end
  begin
    x += 1
  end while x < 5
  until x
  end
  if true
    1
  else
    2
  end
  if nil then 1 end
  2 if x and nil
  2 if x && true
  2 if x or true
  2 if not x
  2 if !x
  2 if (x; x)
  y = (x in Integer)
  x => Integer
  case x
  in String then 1
  in Integer | Float if x
    2
  end
  x.to_s if x.nil? == false
  z = Struct.new(:v).new(1)
  z&.v += 1
  z&.v ||= 1
  z&.v = 5
  nil&.foo
  [1, 2].each { |i| next if i == 1; i ? 3 : 4 }
  [1].each do |i| i&.to_s end
  -> { 1 if x }.call
ensure
  1 if x
end
a(1); a(2); a(3)
class X
  def m = (1 if self)
  p 1 if false || self
  define_method(:z) { 1 if self }
end
X.new.m; X.new.z
if a(1) then x = if a(2) then 1 end end
p((if x then 1 end)) if if x then 2 end
