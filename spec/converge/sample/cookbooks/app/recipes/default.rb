root = node['sample']['root']
db = data_bag_item('secrets', 'db')

directory root

template "#{root}/app.conf" do
  mode '0600'
  sensitive true
  variables port: node['app']['port'], password: db['password']
end

file "#{root}/about" do
  content "on base #{node.read('base', 'revision') || 'unknown'}, in #{node.chef_environment}\n"
end
