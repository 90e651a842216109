# A `]` that comes first in a class of characters belongs to it.
$VERBOSE = nil
eval <<'CODE'
p "a]b".scan(/[]a]/), "a]^b".scan(/[^]]/), "x]-"[/[]-a]+/], "]]"[/[]]+/]
name = "b"
p "a]b"[/[]#{name}]+/]
CODE
p(%w([] [^] []a).map { |source| Regexp.new(source) rescue $!.message })
begin
  eval("/[]/")
rescue SyntaxError => error
  p error.class
end
