require "erb"
def t; yield; rescue Exception => e; "#{e.class}: #{e.message}"; end
x = 5; items = %w[a b]
["plain", "a <%= x %> b", "<% 2.times do |i| %>n<%= i %>\n<% end %>e", "<%# comment %>z", "<%% x %%>", "<%= '%%>' %>", "a\n\n<%= 1 %>\n", "q\"uo'te\\ \#{x} \#x\n", "<%= nil %>|<%= :s %>", "é <%= 'ü' %>", "<%= x -%>\n",
 "<% if x > 3 -%>\nbig\n<% else -%>\nsmall\n<% end -%>\nend", "  <%- items.each do |i| -%>\n  * <%= i %>\n  <%- end -%>\nx", "% x = 7\n<%= x %>\n%% lit\n% 3.times do |k|\nk<%= k %>\n% end\n", "<%= 1\n+ 2 %>", "<%\ny = 1\n%>\n<%= y %>\n", "<%= x %>\n<%= x %>\n", "a<% %>b\n", "<% x %>\n  <% x %>  \n"].each do |s|
  [nil, "<>", ">", "-", "%", "%-", "%<>"].each { |mode| puts "#{s.inspect} #{mode.inspect} #{t { ERB.new(s, trim_mode: mode).result(binding) }.lines.first.inspect.sub(/"SyntaxError.*/, "SyntaxError").sub(/(NameError.*Object)\\n"/, %q(\1"))}" }
end
p ERB.new("hi <%= name %>").result_with_hash(name: "bob"), ERB.new("<%= @a %>").result(Object.new.instance_eval { @a = 3; binding })
p ERB::Util.html_escape("<a href='x'>&\"</a>"), ERB::Util.url_encode("a b/é?&-_.~"), (include ERB::Util; h("<>")), u("a b")
e = ERB.new("<%= foo %>\n\n<%= raise 'x' %>"); e.filename = "tpl.erb"; e.lineno = 1
begin e.result_with_hash(foo: 1); rescue => err; p err.message, err.backtrace[0]; end
begin ERB.new("\n<%= nope_here %>").result; rescue NameError => err; p err.backtrace[0]; end
class Foo; end
ERB.new("v=<%= v %>").def_method(Foo, "render(v)", "foo.erb"); p Foo.new.render(3)
p ERB.new("<%= @x %>").def_class(Object, "out()").new.tap { |o| o.instance_variable_set(:@x, 9) }.out, ERB.version, ERB.new("a").src, ERB.new("a\nb<%= 1 %>c").src, ERB.new("<% x %>\nq", trim_mode: "<>").src
p t { ERB.new("<% if %>").result }.lines.first
p ERB.new("<%= _erbout %>", eoutvar: "@out").src
require "cgi/util"
p CGI.escape("a b&c=é/~*"), CGI.unescape("a+b%26%C3%A9"), CGI.escapeHTML("<'\"&>"), CGI.unescapeHTML("&lt;&#39;&#x41;&quot;&amp;&nope;&gt;"), CGI.escapeElement('<BR><A HREF="url"></A>', "A", "IMG")
