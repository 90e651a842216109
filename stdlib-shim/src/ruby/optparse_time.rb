require "optparse"
require "time"

# Times as arguments, read by the common standards first.
OptionParser.accept(Time) do |text,|
  Time.httpdate(text) rescue Time.parse(text) if text
rescue StandardError
  raise OptionParser::InvalidArgument, text
end
