# An extension for Markdown, whose methods the examples replace.
