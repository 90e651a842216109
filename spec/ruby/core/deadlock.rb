# The message of a deadlock.
begin
  Queue.new.pop
rescue Exception => error # rubocop:disable Lint/RescueException
  puts error.class, error.message.gsub(/0x\h{16}/, "X")
end
