require "erb"
puts ERB.new(<<'T', trim_mode: "%").result
%n = 1
%% <% n = 2
n.times do |i|%>
%% %%><%%<%= i%><%
end%>
%%%
%% <%="foo"%>
<%="
% print 'foo'
"%>
T
[[nil], [nil, "-"], [nil, nil, "out"]].each { |arguments| $stderr = $stdout; ERB.new("", *arguments) }
shadowed = "two"
TOPLEVEL_BINDING.local_variable_set(:shadowed, shadowed)
p ERB.new("<%= shadowed %>").result_with_hash(shadowed: "TWO"), TOPLEVEL_BINDING.local_variable_get(:shadowed)
begin
  Marshal.dump(ERB.new(""))
rescue TypeError => error
  puts error.message
end
begin
  ERB.allocate.result
rescue ArgumentError => error
  puts error.message
end
