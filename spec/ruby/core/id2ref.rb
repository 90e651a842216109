# Objects found by their numbers, however many there are.
kept = Array.new(3_000) { Object.new }
ids = kept.map(&:object_id)
started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
p kept.each_with_index.all? { |object, index| ObjectSpace._id2ref(ids[index]).equal?(object) }
later = [Object.new, [1], { a: 1 }, (1..2), proc { 1 }, "text", 2**80, String, Comparable, :symbol, nil, true, 5, 1.5]
p later.all? { |object| ObjectSpace._id2ref(object.object_id).equal?(object) }
20_000.times { ObjectSpace._id2ref(ids[7]) }
p Process.clock_gettime(Process::CLOCK_MONOTONIC) - started < 5
