# Where a Binding is from does not change when evaluated code defines variables in it.
def made
  found = binding
  found.eval("x = 1")
  p found.source_location
  found.eval("y = 1", "other.rb", 7)
  p found.source_location
  found.local_variable_set(:z, 5)
  p found.source_location
  found
end
found = made
p found.source_location, found.dup.source_location
eval("w = 1", found, "q.rb", 99)
p found.source_location
p eval("binding", nil, "foo.rb", 9).source_location, Object.class_eval("binding", "ce.rb", 3).source_location
p found.eval("binding").source_location, found.eval("binding", "zz.rb", 8).source_location
p proc {}.binding.source_location
work = lambda do
  1
end
p work.binding.source_location
