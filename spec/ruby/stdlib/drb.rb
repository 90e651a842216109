require 'drb/drb'
class Front
  include DRb::DRbUndumped
  def add(a, b) = a + b
  def kw(a, k: 1) = [a, k]
  def each3; yield 1; yield 2; 3; end
  def boom = raise(ArgumentError, "boom")
  def me = self
  def thing = Thing.new
  private def priv = 1
end
class Thing; include DRb::DRbUndumped; def name = "thing"; end
DRb.start_service("druby://localhost:0", Front.new)
uri = DRb.uri
puts uri.sub(/\d+\z/, "N")
p DRb.front.class
pid = fork do
  DRb.stop_service
  DRb.start_service("druby://localhost:0")
  o = DRbObject.new_with_uri(uri)
  begin
  p o.add(1, 2)
  p o.kw(1, k: 2)
  a = []; p o.each3 { |x| a << x }; p a
  begin; o.boom; rescue => e; p e.class, e.message; end
  p o.thing.class, o.thing.name
  begin; o.priv; rescue => e; p e.class, e.message.sub(/0x\h+/, ""); end
  p o.respond_to?(:add), o.respond_to?(:zz), o == DRbObject.new_with_uri(uri)
  p o.me.__drburi == uri, o.me.add("a", "b")
  rescue Exception => e
    p e, e.backtrace
  end
  $stdout.flush
  exit!
end
Process.wait(pid)
begin; DRbObject.new_with_uri("druby://localhost:1").foo; rescue => e; p e.class, e.message; end
begin; DRbObject.new_with_uri("foo:bar"); rescue => e; p e.class, e.message; end
DRb.stop_service
begin; DRb.uri; rescue => e; p e.class; end
