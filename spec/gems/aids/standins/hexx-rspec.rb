require "hexx-suit"
