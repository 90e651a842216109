# RubyGems has a parser of options of its own; here it is Ruby's.
require "optparse"

module Gem
  OptionParser = ::OptionParser
end
