# SyntaxError
eval("(" * 500_000)
