# IO.pipe gives its block both ends as one value.
IO.pipe { |ends| p ends.class, ends.size }
IO.pipe { |reader, writer| p reader.class, writer.closed? }
IO.pipe { |*ends| p ends.size }
IO.pipe { p _1.class }
IO.pipe { |ends, extra = :none| p extra.class }
