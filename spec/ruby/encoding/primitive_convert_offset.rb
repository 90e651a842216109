# Without an offset, the output of primitive_convert is added to the destination.
[[], [nil], [nil, nil], [nil, 3], [0], [2], [0, 2], [1, 1]].each do |rest|
  converter = Encoding::Converter.new("UTF-8", "ISO-8859-1")
  destination = +"abc"
  result = converter.primitive_convert(+"xyz", destination, *rest)
  p [rest, result, destination, destination.encoding]
end
