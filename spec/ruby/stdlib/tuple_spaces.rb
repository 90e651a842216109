# Rinda's tuple spaces, and what is built on DRb.
require "rinda/tuplespace"
require "rinda/ring"
require "drb/acl"
require "drb/gw"
require "drb/observer"
require "drb/timeridconv"
require "drb/weakidconv"
require "drb/extservm"
require "drb/unix"

space = Rinda::TupleSpace.new(1)
space.write([:a, 1])
space.write([:a, 2])
space.write([:b, "x"], 100)
p space.read([:a, nil]), space.read_all([:a, Integer]).sort, space.take([:a, 2]), space.take([:a, nil]), space.read_all([nil, nil])
begin; space.read([:zz], 0); rescue => e; p e.class; end
begin; space.take([:zz], 0); rescue => e; p e.class; end
entry = space.write({ "k" => 1, "v" => "w" })
p space.read({ "k" => nil, "v" => /w/ }), entry.alive?, entry.value, entry["k"], entry.size
entry.cancel
p entry.canceled?, entry.alive?, space.read_all({ "k" => nil, "v" => nil })
begin; space.write({ 1 => 2 }); rescue => e; p e.class; end
waiting = Thread.new { space.take([:later, nil]) }
sleep 0.05
space.write([:later, 5])
p waiting.value
events = space.notify(nil, [:n, nil])
space.write([:n, 1])
space.take([:n, nil])
p events.pop, events.pop
template = nil
thread = Thread.new { space.take([:never]) { |given| template = given } rescue $!.class }
sleep 0.05
template.cancel
p thread.value
p Rinda::Template.new([1..3, String, nil]) === Rinda::Tuple.new([2, "a", :b]), Rinda::Template.new([1]).match([1, 2]), Rinda::Template.new(["a"]).match([/a/])
tuple = Rinda::Tuple.new([1, 2])
pairs = []
tuple.each { |key, value| pairs << [key, value] }
p tuple.size, tuple[1], tuple.fetch(0), tuple.value, pairs
bag = Rinda::TupleBag.new
made = Rinda::TupleEntry.new([:k, 1], 100)
bag.push(made)
p bag.find(Rinda::TemplateEntry.new([:k, nil])).value, bag.find_all(Rinda::TemplateEntry.new([nil, 1])).size, bag.delete(made).value, bag.find_all(Rinda::TemplateEntry.new([nil, nil])), bag.has_expires?
p Rinda::SimpleRenewer.new(5).renew, Rinda::TupleEntry.new([1], true).expired?, Rinda::TupleEntry.new([1]).expired?, Rinda::TupleEntry.new([1], -1).expired?
class Renewer; def renew = 10; end
p Rinda::TupleEntry.new([1], Renewer.new).alive?
p Rinda::Ring_PORT, Rinda::RindaError.superclass, Rinda::RequestExpiredError.superclass, Rinda::RequestCanceledError.superclass
DRb.start_service("druby://127.0.0.1:0", Rinda::TupleSpace.new)
remote = Rinda::TupleSpaceProxy.new(DRbObject.new_with_uri(DRb.uri))
remote.write([:r, 1])
p remote.read([:r, nil]), remote.read_all([:r, nil]), remote.take([:r, nil])
DRb.stop_service

acl = ACL.new(%w[deny all allow 127.0.0.1 allow 192.168.1.* allow 10.0.0.0/8 allow host.example.com])
addresses = [["AF_INET", 1, "localhost", "127.0.0.1"], ["AF_INET", 1, "192.168.1.7", "192.168.1.7"], ["AF_INET", 1, "x", "10.1.2.3"], ["AF_INET", 1, "host.example.com", "1.2.3.4"], ["AF_INET", 1, "y", "8.8.8.8"]]
p addresses.map { |address| acl.allow_addr?(address) }
p addresses.map { |address| ACL.new(%w[allow all deny 10.*.*.*], ACL::ALLOW_DENY).allow_addr?(address) }, ACL.new.allow_addr?(addresses[0])
begin; ACL.new(%w[perhaps all]); rescue => e; p e.message; end
gateway = DRb::GW.new
gateway[:a] = 1
p gateway[:a], gateway[:b]
ids = DRb::TimerIdConv.new(60)
object = Object.new
p ids.to_obj(ids.to_id(object)).equal?(object), (ids.to_obj(-1) rescue [$!.class, $!.message])
weak = DRb::WeakIdConv.new
p weak.to_obj(weak.to_id(object)).equal?(object)
class Watched; include DRb::DRbObservable; end
class Watcher; def update(*arguments) = p(arguments); end
watched = Watched.new
watched.add_observer(Watcher.new)
watched.changed
watched.notify_observers(1, 2)
class Failing; def update(*) = raise("gone"); end
watched.add_observer(Failing.new)
watched.changed
watched.notify_observers(3)
p watched.count_observers
p DRb::DRbProtocol.uri_option("druby://h:1?opt", {}), DRb::DRbTCPSocket.parse_uri("druby://h:1"), (DRb::DRbTCPSocket.parse_uri("druby://") rescue $!.class), (DRb::DRbTCPSocket.parse_uri("foo:") rescue $!.class)
p DRb::DRbURIOption.new("x") == DRb::DRbURIOption.new("x"), DRb::DRbURIOption.new("x").to_s, DRb::ExtServManager.command
require "tmpdir"
Dir.mktmpdir do |folder|
  server = DRb.start_service("drbunix:#{folder}/socket", { "a" => 1 })
  p DRb.uri.sub(folder, ""), DRbObject.new_with_uri(DRb.uri)["a"], server.alive?
  DRb.stop_service
end
