root = node['base']['root']

directory root do
  recursive true
end

node['base']['directories'].each do |name, mode|
  directory "#{root}/#{name}" do
    mode mode
  end
end

file "#{root}/etc/motd" do
  content "#{node['base']['motd']}\n"
  mode '0644'
end

cookbook_file "#{root}/etc/profile" do
  source 'profile'
  mode '0644'
end

node['base']['links'].each do |from, to|
  link "#{root}/#{from}" do
    to "#{root}/#{to}"
  end
end

file "#{root}/etc/legacy.conf" do
  action :delete
end
