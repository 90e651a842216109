# trace_var and untrace_var.
seen = []
trace_var(:$traced) { |value| seen << [:first, value] }
trace_var(:$traced, proc { |value| seen << [:second, value] })
$traced = 1
p seen
seen.clear
alias $also $traced
$also = 2
p seen
$kept = nil
trace_var :$traced, "$kept = true"
$traced = 3
p $kept
p untrace_var(:$traced).size, untrace_var(:$traced)
seen.clear
$traced = 4
p seen
begin
  trace_var :$traced
rescue ArgumentError => error
  puts error.message
end
begin
  untrace_var :$never_seen
rescue NameError => error
  puts error.message
end
alias $read_only $&
begin
  $read_only = 1
rescue NameError => error
  puts error.message
end
