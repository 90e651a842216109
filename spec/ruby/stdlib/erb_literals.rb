require "erb"
puts ERB.new("é \e \a \x7f \#{x} \#$y \# \"q\" \\ \t\r\n<%= 1 %>ü\0").src
p ERB.new("é \e <%= 1 %> \#{x}").result
