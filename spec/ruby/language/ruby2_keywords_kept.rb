# A Hash flagged by ruby2_keywords that a rest parameter without keywords beside it takes from a splat keeps its flag (until Ruby 3.2).
def flags(value) = Hash === value ? Hash.ruby2_keywords_hash?(value) : value.class
ruby2_keywords def start(*all) = all
FLAGGED = start(1, k: 1)

def rest(*all) = flags(all.last)
def required(a, b) = flags(b)
def optional(a, b = 2) = flags(b)
def required_rest(a, *all) = flags(all.last)
def rest_post(*all, b) = flags(b)
def rest_keywords(*all, **options) = [flags(all.last), flags(options)]
p rest(*FLAGGED), required(*FLAGGED), optional(*FLAGGED), required_rest(*FLAGGED), rest_post(*FLAGGED), rest_keywords(*FLAGGED)
p rest(0, *FLAGGED), rest(*FLAGGED, 5), rest(*FLAGGED, *FLAGGED), rest(*FLAGGED, z: 1)
p send(:rest, *FLAGGED), method(:rest).call(*FLAGGED)
p proc { |*all| flags(all.last) }.call(*FLAGGED), proc { |a, b| flags(b) }.call(*FLAGGED)
def yielding = yield(*FLAGGED)
p yielding { |*all| flags(all.last) }, yielding { |a, b| flags(b) }
p [].push(*FLAGGED).map { |value| flags(value) }

class Base
  def call(*all) = flags(all.last)
end
class Implicit < Base
  def call(*all) = super
end
class Explicit < Base
  def call(*all) = super(*all)
end
class Split < Base
  def call(first, *all) = super
end
p [Implicit, Explicit, Split].map { |kind| kind.new.call(*FLAGGED) }

ruby2_keywords def first(*all) = second(*all)
def second(*all) = third(*all)
def third(*all, **options) = [all, options]
p first(1, k: 2), first({ k: 2 }), second({ k: 2 })
