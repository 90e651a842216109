# The block of a fiber or thread has its own `$~`; a block that it calls shares its method's.
def in_fiber
  "a" =~ /a/
  Fiber.new { p $~; "b" =~ /b/; [1].each { p $~ }; p $~ }.resume
  p $~
end
in_fiber
def in_thread
  "c" =~ /c/
  Thread.new { p $~; "d" =~ /d/; p $~ }.join
  p $~
  [1].each { "e" =~ /e/ }
  p $~
end
in_thread
