# The frames of rescue and ensure clauses: those that an exception or a jump out of a block runs.
def shown(frames) = frames.map { |frame| frame[/\d+:in .*/] }.take_while { |frame| !frame.include?("main") }
def a
  x = 1
  begin
    x = 2
    raise "a"
  rescue
    x = 3
    raise "b"
  end
end
def b
  raise "a"
rescue
  raise "b"
end
def c
  x = 1
  raise "a"
rescue
  begin
    raise "b"
  rescue
    raise "c"
  end
end
def d
  x = 1
  begin
    raise "a"
  ensure
    puts shown(caller(0))
  end
end
def e
  begin
    1
  ensure
    puts shown(caller(0))
  end
end
def f
  [1].each do
    raise "x"
  rescue
    puts shown(caller(0))
  end
end
def g
  begin
    return 1
  ensure
    puts shown(caller(0))
  end
end
def h
  x = (raise "x" rescue caller(0))
  puts shown(x)
end
def i
  loop do
    begin
      break
    ensure
      puts shown(caller(0))
    end
  end
end
class K
  begin
    raise "x"
  rescue
    puts shown(caller(0))
  end
end
def j
  begin
    raise "a"
  rescue => e
    [1].each { puts shown(caller(0)); p caller_locations(0, 4).map(&:label), caller_locations(0, 4).map(&:base_label), __method__ }
  end
end
def k
  1.times do
    begin
      raise "a"
    rescue *[puts(shown(caller(0))), StandardError] => e
      puts shown(caller(0))
    else
    end
  end
end
def m
  begin
    raise "q"
  rescue
    1
  else
    2
  ensure
    puts shown(caller(0))
  end
end
def n
  begin
    raise "q"
  rescue TypeError
    1
  ensure
    puts shown(caller(0))
  end
end
def o
  raise "a"
rescue => e
  raise "b"
ensure
  puts shown(caller(0))
end
%i[a b c d e f g h i j k m n o].each do |name|
  puts "-- r1 #{name}"
  send(name)
rescue => error
  puts shown(error.backtrace)
ensure
  puts shown($seen || [])
  $seen = nil
end

def a
  raise "a"
ensure
  1
  2

  $seen = caller(0)
  3
  4
end
def b
  begin
    x = 1

    raise "a"


  ensure

    1
    $seen = caller(0)
    4
    5

  end
end
def c

  x = 1
  raise "a"

rescue => e

  y = 1
  $seen = caller(0)
  z = 1

ensure

  z = 2
  3
end
def d(
  a = 1,
  b = 2
)

  raise "a"
rescue TypeError
rescue
  1
  $seen = caller(0)
  2
ensure
  1
end
def e
  1.times do

    raise "a"
  rescue
    $seen = caller(0)
  end
end
def f
  1.times do |
     x|

    x = 1
    raise "a"
  rescue
    $seen = caller(0)
  end
end
def g
  x = 1
  y =

    begin
      foo(1,

        2)
    rescue
      $seen = caller(0)
    end
end
def h
  -> {
    
    begin
      begin
       raise "x"
      ensure
       1

       $seen = caller(0)
      end
    rescue 
      1
    end
  }.call
end
def i
  1
  foo
  
  raise "x" rescue $seen = caller(0)
end
def j
  begin
    y = foo(1,
      2,

      3) rescue $seen = caller(0)
  rescue
    
  end
end
def k
  begin
    return 1
  ensure
    begin
       raise "x"
    rescue
       $seen = caller(0)
    end
  end
end
def l
  begin
    raise "X"
  ensure
    begin
       raise "x"
    rescue
       $seen = caller(0)
    end
  end
end
%i[a b c d e f g h i j k l].each do |name|
  puts "-- r2 #{name}"
  send(name)
rescue => error
  puts shown(error.backtrace)
ensure
  puts shown($seen || [])
  $seen = nil
end

def a
  begin
    x = 1
    raise "x"
  rescue
    $seen = caller(0)
  ensure
    x = 1
  end
end
def b
  1.times do

    x = 1
    raise "a"
  rescue
    $seen = caller(0)
  ensure
    x = 1
  end
end
class C
  x = 1
  raise "x"
rescue
  puts shown(caller(0))
end
def c
  x = 1
  x = 2
  raise "x"
rescue
    $seen = caller(0)
end
def d() raise("x")
rescue
    $seen = caller(0)
end
def e() 

  raise("x")
rescue
    $seen = caller(0)
else
    3
end
def g
  1.times do
    raise "a"
  rescue
    1
    $seen = caller(0)
    foo = 2
    bar = 3
  ensure
    x = 1
  end
end
def h
  1.times do
    raise "a"
  ensure
    1
    $seen = caller(0)
    foo = 2
    bar = 3
  end
end
def i
  begin
    raise "a"
  rescue
    foo(raise("x"),
     1)
  end
rescue => e
  $seen = e.backtrace
end
%i[a b c d e g h i].each do |name|
  puts "-- r3 #{name}"
  send(name)
rescue => error
  puts shown(error.backtrace)
ensure
  puts shown($seen || [])
  $seen = nil
end
