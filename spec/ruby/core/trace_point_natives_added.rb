# One trace point waits for what natives return, a second for their calls: the second does not begin the tracing of natives anew.
seen = []
returns = TracePoint.new(:return, :c_return) { |point| seen << [:return, point.callee_id] }
calls = TracePoint.new(:call, :c_call) { |point| seen << [:call, point.callee_id] }
returns.enable { calls.enable { [1, 2].first } }
p seen.include?([:call, :first]), seen.include?([:return, :first])
seen.clear
calls.enable { returns.enable { "a".upcase } }
p seen.include?([:call, :upcase]), seen.include?([:return, :upcase])
seen.clear
[3].last
p seen
calls.enable { [3].last }
p seen.include?([:call, :last]), seen.any? { |event, _| event == :return }
