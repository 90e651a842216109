# What is reopened on a stream without a name keeps its own.
reader, writer = IO.pipe
copy = $stdout.dup
$stdout.reopen(writer)
shown = $stdout.inspect
$stdout.reopen(copy)
p shown, copy.inspect
reader.close
