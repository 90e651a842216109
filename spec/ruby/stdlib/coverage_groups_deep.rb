# Branches whose parts are groups in groups, in which it must not take longer with each to find where they begin and end.
require "coverage"
require "tempfile"

file = Tempfile.new(["groups", ".rb"])
file.write(<<~RUBY)
  value = 1
  if value
    #{"(" * 60}value#{")" * 60}
  end
  if value
    #{"begin; " * 60}value#{"; end" * 60}
  else
    #{"(value; " * 60}value#{")" * 60}
  end
  #{"(" * 60}value#{"; value)" * 60} if value
RUBY
file.close
Coverage.start(branches: true)
load file.path
p Coverage.result.fetch(file.path)
