# What errors of operator assignments mark: reader, operator or writer.
def t
  yield
rescue NoMethodError => error
  puts error.message.sub(/0x\h+/, "")
end
plain = {}
x = nil
o = Struct.new(:a).new
t { plain["missing"] += 1 }
t { x += 1 }
t { o.a += 1 }
t { o.a.b += 1 }
t { x.foo += 1 }
t { x[0] += 1 }
t { o.zz ||= 1 }
class W; def foo = 1; def [](x)=1; end
w = W.new
t { w.foo += 1 }
t { w[1] += 1 }
t { w[1] ||= nil }
t { w.foo &&= 1 }
t { w.foo  **= 1 }
t { w.
  foo &&= 1 }
class W; def self_foo; self.zork += 1; end; end
t { w.self_foo }
t { w::foo += 1 }
