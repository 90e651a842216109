# SyntaxError
eval("!" * 500_000 + "1")
