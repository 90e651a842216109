Warning[:experimental] = false
r = Ractor.new Ractor.current do |main|
  q = Thread::Queue.new
  [-> { loop {} }, -> { while true; end }, -> { sleep 100 }].each do |work|
    Thread.new do
      q << true
      work.call
    ensure
      main << [:ended, Ractor.current == main]
    end
  end
  3.times { q.pop }
  Thread.new { Ractor.current }.value.equal?(Ractor.current)
end
p 3.times.map { Ractor.receive }.tally, r.take
p Ractor.current.equal?(Ractor.main), Thread.new { Ractor.current.equal?(Ractor.main) }.value
