# The pieces of RFC 2396's grammar are found where their module is included, whichever is asked for first.
require "uri"
module Pieces
  include URI::REGEXP::PATTERN
  puts "#{IPV4ADDR}|#{IPV6ADDR}"
end
URI::REGEXP::PATTERN.constants.grep_v(/\AX_/).sort.each { |name| puts "#{name} #{URI::REGEXP::PATTERN.const_get(name)}" }
