root = node['app']['root']

directory root do
  recursive true
end

template "#{root}/greeting" do
  source 'greeting.erb'
  variables(word: node['app']['greeting'])
  notifies :create, "file[#{root}/seen]", :immediately
  notifies :run, 'execute[reload]', :delayed
end

file "#{root}/seen" do
  content lazy { ::File.read("#{root}/greeting").upcase }
  action :nothing
end

# sees the file that the template would make
file "#{root}/after" do
  content 'x'
  only_if { ::File.exist?("#{root}/greeting") }
end

file "#{root}/never" do
  not_if "grep -q hello #{root}/greeting"
end

app_site 'one' do
  root root
end

execute 'reload' do
  command 'touch reloaded'
  cwd root
  action :nothing
end
