require "optparse"
require "shellwords"

OptionParser.accept(Shellwords) { |text,| Shellwords.shellwords(text) if text }
