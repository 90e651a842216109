# A killed thread is aborting while its ensure clauses run; Strings of subclasses are not copied as keys of a Hash.
t = Thread.new { begin; sleep; ensure; $s = [Thread.current.status, Thread.current.alive?]; end }
Thread.pass until t.stop?
t.kill
t.join
p $s, t.status
t = Thread.new { begin; Thread.current.kill; ensure; $s = Thread.current.status; Thread.pass; $i = Thread.current.inspect[/\w+>\z/]; end }
t.join
p $s, $i, t.status

class Kept < String; attr_accessor :v; end
key = Kept.new("y")
key.v = 3
hash = {key => 1}
own = hash.keys[0]
p own.class, own.frozen?, own.equal?(key), own.v, hash["y"], hash[Kept.new("y")]
frozen = Kept.new("z").freeze
p({frozen => 1}.keys[0].equal?(frozen))
p [[key, 1]].to_h.keys[0].class, hash.transform_keys { |x| Kept.new(x) }.keys[0].class, hash.merge({Kept.new("a") => 1}).keys.map(&:class), Hash[key, 1].keys[0].class
plain = "p"
plain.instance_variable_set(:@a, 1)
p({plain => 1}.keys[0].instance_variable_get(:@a))
