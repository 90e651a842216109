require "optparse"
require "date"

[Date, DateTime].each do |kind|
  OptionParser.accept(kind) do |text,|
    kind.parse(text) if text
  rescue ArgumentError
    raise OptionParser::InvalidArgument, text
  end
end
