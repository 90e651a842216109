# The same library under its former name.
require "rchardet"
