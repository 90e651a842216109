# A wait of no time gives a thread that was just started a turn.
r, w = IO.pipe
{
  "sleep" => -> { sleep 0 },
  "select" => -> { IO.select(nil, nil, nil, 0) },
  "select of a pipe" => -> { IO.select([r], nil, nil, 0) },
  "pass" => -> { Thread.pass },
}.each do |name, wait|
  started = false
  thread = Thread.new { started = true }
  # MRI's threads may need some of them
  1000.times { started ? break : wait.call }
  puts "#{name}: #{started}"
  thread.join
end
w.close
