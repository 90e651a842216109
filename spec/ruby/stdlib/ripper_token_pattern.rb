# Ripper::TokenPattern with a `compile` of a subclass's own.
require "ripper"
class Pattern < Ripper::TokenPattern
  attr_reader :source
  def compile(pattern)
    p [:compile, pattern]
    Regexp.compile('\A' + map_token("ident") + '\z')
  end
end
pattern = Pattern.compile("ident")
p pattern.source, pattern.match("foo").string(0), pattern.match("foo.bar"), Pattern.new("x").match_list(Ripper.lex("a")).class
p Ripper::TokenPattern.private_instance_methods(false).sort, Ripper::TokenPattern.constants.sort
p Ripper::TokenPattern.compile("$(ident) sp* op").match("a  +").string(1)
begin
  Ripper::TokenPattern.compile("zzz")
rescue => error
  p error.class, error.message
end
