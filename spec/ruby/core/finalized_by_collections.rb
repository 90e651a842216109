# An object with a finalizer can be found by its id until a collection, which runs the finalizer.
def finalizer(ids) = proc { |id| ids << [:gone, id == ids[0]] }
def made(ids)
  o = Object.new
  ids << o.object_id
  ObjectSpace.define_finalizer(o, finalizer(ids))
  nil
end
ids = []
20.times { made(ids) }
p ObjectSpace._id2ref(ids[0]).class
def deep(n) = n.zero? ? nil : deep(n - 1)
deep(200)
GC.start
p ids.size > 30
kept = Object.new
ObjectSpace.define_finalizer(kept, proc { puts "at the end" })
GC.start
p ObjectSpace._id2ref(kept.object_id).equal?(kept)
