require "socket"
s = TCPServer.new("127.0.0.1", 0)
t = Thread.start { begin; s.accept; rescue => e; p e.class, e.message; end }
sleep 0.1
s.close
p t.join(5).nil?
r, w = IO.pipe
t = Thread.start { begin; r.read(1); rescue => e; p e.class, e.message; end }
sleep 0.1
r.close
p t.join(5).nil?
