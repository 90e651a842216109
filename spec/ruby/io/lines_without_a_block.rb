# The enumerators of lines keep what was said of them.
require "tempfile"
file = Tempfile.new("lines")
file.write("a\nb\n\nc\n")
file.close
path = file.path
p File.foreach(path, chomp: true).to_a, IO.foreach(path, mode: "rb").map(&:encoding), File.foreach(path, nil, 3).to_a
p File.foreach(path, chomp: true).slice_before { |line| line == "b" }.to_a, File.foreach(path, chomp: true).with_index(1).to_a
File.open(path) { |io| p io.each_line(chomp: true).to_a }
File.open(path) { |io| p io.each(chomp: true).with_index.to_a }
File.open(path) { |io| p io.each_line("b", chomp: true).first(2) }
File.open(path) { |io| p io.each_byte.first(2), io.each_char.first(2) }
p "a\nb".each_line(chomp: true).to_a, "a\nb".each_line(chomp: true).size, "ab".each_char.size, File.foreach(path, chomp: true).size
enumerator = File.foreach(path, chomp: true)
p enumerator.next, enumerator.next, enumerator.peek
