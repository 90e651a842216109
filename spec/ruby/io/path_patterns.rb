# Slashes and reversed ranges in the brackets of patterns, and leading slashes of absolute paths.
require "tmpdir"
["[c-a]", "[abc/def]", "[/]", "[!a/]", "a[/]b", "[a", "[]a]", "[!]a]", "[^]a]", "[a-]", "[-a]", "[\\]]", "[a\\-c]", "*[/a]", "[a-c-e]", "[é-ü]"].each do |pattern|
  %w(a b c d - / a/b ] e x/a é ö).each do |path|
    found = [0, File::FNM_PATHNAME, File::FNM_NOESCAPE].map { |flags| File.fnmatch(pattern, path, flags) }
    puts "#{pattern} #{path} #{found.join(" ")}" if found.any?
  end
end
Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    %w[a b c d].each { |name| File.write(name, "") }
    ["[abc/def]", "[c-a]", "a\\", "{a,b", "[abc"].each { |pattern| p Dir.glob(pattern) }
  end
end
%w[/ // /// /a //a].each do |base|
  %w[. .. a ../b ./ a/.. a//b].each { |path| puts "#{base} #{path} #{File.expand_path(path, base)} #{File.absolute_path(path, base)}" }
end
