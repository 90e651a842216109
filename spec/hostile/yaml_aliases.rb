# ok
require "yaml"
text = +"a0: &a0 [x]\n"
1.upto(30) { |n| text << "a#{n}: &a#{n} [*a#{n - 1}, *a#{n - 1}]\n" }
YAML.load(text, aliases: true).size
