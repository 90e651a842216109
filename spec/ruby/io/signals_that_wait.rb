# Signals that have arrived are for the handler that there was.
n = 0
trap("CHLD") { n += 1 }
begin
  system("true")
  trap("CHLD", "DEFAULT")
  sleep 0.05
  p [n, :ok]
rescue SignalException
  p [n, $!]
end
trap("USR1") { n += 10 }
Process.kill("USR1", $$)
p trap("USR1", "DEFAULT").class
p n
