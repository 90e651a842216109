# Lists the superclass of every class that Chef's own library declares: `ruby superclasses.rb CHECKOUT > superclasses.tsv`.
#
# It reads the sources (chef, chef-config, chef-utils) and loads none of them: classes are those of `class` statements, and a name is looked up as
# Ruby does, first in the modules around it, then in the superclasses of these.
require "ripper"


@declared = {} # path => superclass as written, or nil
@scopes = {} # path => the paths around it, innermost first

def name_of(node)
  case node[0]
  when :const_ref, :var_ref, :top_const_ref then node[0] == :top_const_ref ? "::#{node[1][1]}" : node[1][1]
  when :const_path_ref then (outer = name_of(node[1])) && "#{outer}::#{node[2][1]}"
  end
end

def walk(node, nesting)
  return unless node.is_a?(Array)

  case node[0]
  when :class, :module
    written = name_of(node[1])
    return if written.nil?

    path = written.start_with?("::") ? written.delete_prefix("::") : [nesting.first, written].compact.join("::")
    # a path whose first part is known further out is that one
    if written.include?("::") && !written.start_with?("::")
      head = written.split("::").first
      outer = nesting.find { |scope| @declared.key?("#{scope}::#{head}") }
      path = outer ? "#{outer}::#{written}" : written
    end
    if node[0] == :class
      superclass = node[2] && name_of(node[2])
      @declared[path] ||= superclass
      @scopes[path] ||= nesting if superclass
      @declared[path] = superclass if superclass
    else
      @declared[path] ||= :module
    end
    walk(node.last, [path, *nesting])
  else
    node.each { |child| walk(child, nesting) }
  end
end

checkout = ARGV.fetch(0)
files = %w{lib chef-config/lib chef-utils/lib}.flat_map { |folder| Dir[File.join(checkout, folder, "**/*.rb")].sort }
trees = files.map { |file| Ripper.sexp(File.read(file)) }
2.times { trees.each { |tree| walk(tree, []) } }

def resolve(name, scopes)
  return name.delete_prefix("::") if name.start_with?("::")

  scopes.each do |scope|
    return "#{scope}::#{name}" if @declared.key?("#{scope}::#{name}")
  end
  head, rest = name.split("::", 2)
  scopes.each do |scope|
    at, seen = scope, 0
    while (written = @declared[at]).is_a?(String) && (seen += 1) < 20
      at = resolve(written, @scopes[at] || [])
      found = "#{at}::#{head}"
      return [found, rest].compact.join("::") if @declared.key?(found)
    end
  end
  name
end

puts "# Recorded by superclasses.rb from Chef 18.11.21: class, superclass"
@declared.sort.each do |path, superclass|
  next if superclass == :module || !path.match?(/\A(Chef|ChefConfig|ChefUtils|Mash)(::|\z)/)

  puts "#{path}\t#{superclass ? resolve(superclass, @scopes[path] || []) : "Object"}"
end
