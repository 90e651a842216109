require "mutex_m"
class A; include Mutex_m; def initialize(x) = (super(); @x = x); end
a = A.new(1); p a.locked?, a.lock.class, a.locked?, a.try_lock, a.unlock.class, a.synchronize { 3 }, a.mu_locked?
o = Object.new.extend(Mutex_m); p o.locked?, o.synchronize { o.locked? }
class B; include Mutex_m; attr_reader :x; def initialize(x:) ; @x = x; super(); end; end
p B.new(x: 2).x, Mutex_m.instance_methods(false).sort, B.instance_methods(false).sort, o.singleton_methods.sort
begin; a.lock; a.lock; rescue => e; p e.class, e.message; end
