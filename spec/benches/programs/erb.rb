# What ERB and Erubis compile a template to: appends to one String.
template = <<'ERB'
# managed
<% ports.each do |port| %>
Listen <%= address %>:<%= port %>
<% if port == 443 -%>
SSLEngine on
<% end -%>
<% end %>
<% options.sort.each do |key, value| %>
<%= key %> = "<%= value %>"
<% end %>
ERB
code = +"out = +''\n"
template.split(/(<%=?.*?-?%>\n?)/m).each do |part|
  case part
  when /\A<%=(.*?)-?%>(\n?)\z/m then code << "out << (#{$1}).to_s; out << #{$2.dump};\n"
  when /\A<%(.*?)-?%>\n?\z/m then code << "#{$1}\n"
  else code << "out << #{part.dump};\n"
  end
end
code << "out"
address, ports = "10.0.0.1", [80, 443, 8080]
options = (1..40).to_h { |i| ["option#{i}", i * 3] }
view = Object.new
view.instance_eval("def render(address, ports, options)\n#{code}\nend", "template.erb", 0)
size = 0
3_000.times { size += view.render(address, ports, options).size }
puts size
