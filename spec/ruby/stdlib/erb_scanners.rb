# How templates are taken apart, in each trim mode; a scanner of one's own.
require "erb"
TEMPLATES = ["a\n<% x = 1 -%>\nb<%= x -%>", "<%- 1 -%>\n\t<%- 2 %>c\n", "<% a %%> b %>%>", "<%% q %>\n", "% y = 2\n%% z\n<% 3 %>\n", "d<% 4 %>\t<%- 5 -%>\n", "<%= 1 %>\r\n<% 2 -%>\r\n", "<% open"]
TEMPLATES.each do |template|
  [nil, "-", ">", "<>", "%", "%-", "%>", "%<>"].each do |mode|
    tokens = []
    compiler = ERB::Compiler.new(mode)
    scanner = compiler.make_scanner(template)
    scanner.scan do |token|
      tokens << (token.is_a?(ERB::Compiler::PercentLine) ? [token.to_s] : token)
      scanner.stag = token if token.is_a?(String) && token.start_with?("<%") && token != "<%%"
      scanner.stag = nil if token == "%>"
    end
    p [mode, scanner.class, tokens.reject { |token| token == "" || token.nil? }, ERB.new(template, trim_mode: mode).src.lines.last]
  end
end

class Double < ERB::Compiler::TrimScanner
  def initialize(src)
    super(src, "<>", false)
    @scan_reg = /(.*?)(%>\r?\n|#{(stags + etags).join("|")}|\n|\z)/m
  end
  def stags = ["<%=="] + super
  def etags = super + ["-%>"]
end
Double.new("<%== a -%>\n<% b %>\n").scan { |token| p token }
ERB::Compiler::Scanner.register_scanner(Double, "!", false)
p ERB::Compiler::Scanner.make_scanner("a", nil, true).class, (ERB::Compiler::Scanner.make_scanner("a", "!", false) rescue $!.class)
