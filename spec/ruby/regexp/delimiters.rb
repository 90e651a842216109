# An escaped delimiter stands for itself, unless it has a meaning in patterns.
p %r!(?\!-)a\/\!!.source, %r{a\{\}}.source, %r|a\|b|.source, %r(\(a\)).source, %r"\"".source
p %r-a\-b[\-]-.source, /a\/b/.source, %r,\,.\.,.source
p %r^\^a^.source, %r$\$a$.source,%r<\<a\>>.source,%r[\[a\]].source, %r!\\!.source, %r=a\=\==.source
x = 1
p %r!a#{x}\!b!.source, %r!#{x}(?\!a)!.source, /#{x}\/a/.source, %r{#{x}\}}.source
p %r@\@#{x}@.source, %r:\::.source, %r%\%%.source, %r'\''.source, %r~\~~.source
p %r*\**.source, %r+\++.source, %r?\??.source
