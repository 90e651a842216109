require "json"
data = (1..400).map { |i| { "id" => i, "name" => "node#{i}", "tags" => %w[a b c], "load" => i / 7.0, "on" => i.even?, "deep" => { "x" => nil, "y" => "q\"uote\n" } } }
size = 0
12.times do
  text = JSON.generate(data)
  size += text.size + JSON.pretty_generate(data).size + JSON.parse(text).size
  size += JSON.parse(text, symbolize_names: true).last[:id]
end
puts size
