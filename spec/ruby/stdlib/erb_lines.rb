# ERB: line breaks of text and comments in tags, by trim mode.
require "erb"
["a%>\n","a%>\nb","a-%>\nb","x%%>\ny","<% 1 %>\n%>\n","a%> \n","%>\n"].each { |t| [nil,">","<>","-","%","%>","%<>","%-"].each { |m| p [t,m,(begin; ERB.new(t, trim_mode: m).result; rescue Exception => x; x.class; end)] } }
["<% # c %>\nx","<% # c %>x\ny","<% #c\n 1 %>\nx", "a<% # c %>b\nc","<%- # c -%>\nx","<%# c %>\nx"].each { |t| [nil,">","<>","-","%","%>","%<>","%-"].each { |m| e = ERB.new(t, trim_mode: m); p [t,m,e.src,(begin; e.result; rescue Exception => x; x.class; end)] } }
