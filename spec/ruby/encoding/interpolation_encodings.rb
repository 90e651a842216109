x = "2026"; l = "é".encode("ISO-8859-1"); b = "\xff".b; a = "abc".force_encoding("US-ASCII")
l2 = "abc".encode("ISO-8859-1")
p "#{1}".encoding, "#{1}-".encoding, "#{nil}".encoding, "#{:a}".encoding, "#{a}".encoding, "#{a}#{a}".encoding, "#{a}x".encoding, "#{l}".encoding, "#{l}x".encoding, "x#{l}".encoding, "#{l2}x".encoding, "#{l2}".encoding, "#{b}-".encoding, "-#{b}".encoding, "#{a}#{l}".encoding, "#{1}#{l2}x".encoding, "#{1}#{l}x".encoding, "#{""}é".encoding
begin; "é#{l}"; rescue => e; p e.class, e.message; end
begin; "#{l}é"; rescue => e; p e.class, e.message; end
p "#{l2}é".encoding, "#{a}#{b}x".encoding, "x\xff".encoding, "#{a}\u00e9".encoding
p "#{x}".frozen?, :"#{1}".encoding, /#{a}/.encoding, %x(echo #{1}).encoding
