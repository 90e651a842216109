# CSV: which row a reader stands at, and the text it was read from.
require "csv"
["\"a\nb\",c\nd\n", "a\n\"b\nc\nd\"\ne", "x\n\n\"y\n\nz\"\n\nw\n", "a,\"b\nc", "a\n\"b\nc\nd,e\n"].each { |t| [{}, {skip_blanks: true}, {liberal_parsing: true}, {headers: true}].each { |o|
 c = CSV.new(t, **o); r = []
 begin; while (x = c.shift); r << [x.is_a?(CSV::Row) ? x.fields : x, c.lineno, c.line]; end; r << [nil, c.lineno, c.line]; rescue => e; r << [e.class, e.message, e.line_number]; end
 p [t, o, r] } }
