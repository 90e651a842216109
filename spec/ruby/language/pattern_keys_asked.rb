# The keys that a Hash pattern asks `deconstruct_keys` for: none of them for `**`, all where the rest counts.
class Asked
  def deconstruct_keys(keys)
    p keys
    { a: 1, b: 2 }
  end
end
asked = Asked.new
case asked
in {**} then puts "any"
end
case asked
in Asked(**) then puts "any of the class"
end
case asked
in {} then puts "empty"
else puts "not empty"
end
case asked
in { a:, ** } then p a
end
case asked
in { a:, **nil } then p a
in { a:, b: } then p b
end
case asked
in { **nil } then puts "nothing"
in { **rest } then p rest
end
p((asked in { a: 1, **rest }))
asked => { ** }
