directory node['app']['root'] do
  recursive true
end

file "#{node['app']['root']}/password" do
  content 'correct-horse-battery'
  sensitive true
end
