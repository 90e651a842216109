# Names that libraries define: each feature is required in a process of its own, and what the list says of it is looked for. A line of the list is a
# feature, what its names belong to (`Set#` has methods of instances, `Set.` those of the class, `Set::` constants), and the names.
$VERBOSE = nil
lists = File.readlines(File.join(__dir__, "fixtures/surface.txt"), chomp: true).map(&:split).group_by(&:shift)

def missing(owner, names)
  path, kind = owner.match(/\A(.*?)(#|\.|::)\z/).captures
  mod = Object.const_get(path)
  has =
    case kind
    when "#" then ->(name) { mod.method_defined?(name) }
    when "." then ->(name) { mod.respond_to?(name) }
    else ->(name) { mod.const_defined?(name, false) }
    end
  names.reject(&has).map { |name| "#{owner}#{name}" }
rescue NameError
  [owner]
end

lists.each do |feature, lines|
  reader, writer = IO.pipe
  pid = fork do
    reader.close
    require feature
    lost = lines.flat_map { |owner, *names| missing(owner, names) }
    writer.puts "#{feature}: #{lines.sum { |_, *names| names.size }} names#{", without #{lost.join(" ")}" unless lost.empty?}"
    writer.close
    exit!(0)
  end
  writer.close
  print reader.read
  reader.close
  Process.wait(pid)
end
