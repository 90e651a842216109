root = node['sample']['root']

directory root

file "#{root}/motd" do
  content "#{node['motd']['text']}\n"
  mode '0644'
end

# kept with the node: policies and runs after this one see it
node.normal['base']['revision'] = '1.2.0'

search(:users, 'groups:admin').each do |admin|
  file "#{root}/admin-#{admin['id']}" do
    content "#{admin['comment']}\n"
  end
end
