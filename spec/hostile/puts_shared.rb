# NoMemoryError
a = ["x" * 100]
27.times { a = [a, a] }
File.open(File::NULL, "w") { |file| file.puts(a) }
