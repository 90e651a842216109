# Heredocs of every kind around bodies of every kind.
require_relative "fixtures/combine"
$VERBOSE = nil
snippets = []
add = ->(source) { snippets << source }
["<<A","<<-A","<<~A","<<~'A'","<<~\"A\""].each { |h| ["x\nA\n","  x\n  y\nA\n","  x\n    y\n\n  z\nA\n","\tx\n\t\ty\nA\n","  a\#{1+1}b\n  \\n\nA\n","    x\n  \#{2}\n  A\n","  x \\\n  y\nA\n"].each { |b| add.call "#{h}\n#{b}"; add.call "#{h}.lines.map(&:strip)\n#{b}"; add.call "[#{h}, #{h.sub('A','B')}]\n#{b}#{b.gsub('A','B')}" } }
Combine.expressions(snippets)
