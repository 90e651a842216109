# Readline is Reline, as in a Ruby without the extension.
require "reline"

Readline = Reline
