root = node['app']['root']

directory root do
  recursive true
end

file "#{root}/first" do
  content '1'
end

file "#{root}/missing/second" do
  content '2'
end

file "#{root}/third" do
  content '3'
end
