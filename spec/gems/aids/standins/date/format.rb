# What date/format was is in date.
require "date"
