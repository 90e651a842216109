# The line with YAML's version, by the options of `dump`, and Strings that look like numbers.
require "yaml"
[{ header: true }, { header: false }, { version: "1.1" }, { version: [1, 2] }, { version: nil }, { header: true, version: nil }, { indentation: 4, header: true, line_width: -1 }].each do |options|
  p options, YAML.dump({ "a" => { "b" => 1 } }, **options)
  tree = Psych::Visitors::YAMLTree.create(options)
  tree << { "a" => 1 }
  puts tree.tree.yaml(nil, options)
end
%w(0.0e0 1e5 1.0 0.1e1 .5 1_000 0x1 1.e3 12e03 1.0e+3 -1.5e-3 +1 .1e1 1e 0.).each do |text|
  tree = Psych::Visitors::YAMLTree.create({})
  tree << { "a" => text }
  puts tree.tree.yaml, { "a" => text }.to_yaml
end
