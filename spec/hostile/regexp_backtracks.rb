# ok
begin
  ("a" * 30_000).match?(/(?>a*)*b\1?()/)
rescue RegexpError
end
