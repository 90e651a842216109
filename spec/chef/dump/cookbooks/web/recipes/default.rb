template '/etc/web.conf' do
  source 'web.erb'
  mode '0644'
  variables(port: node['web']['port'])
  notifies :restart, 'service[web]'
end
template '/etc/own.conf'
cookbook_file '/etc/v' do
  owner 'root'
  group nil
end
remote_file '/tmp/x' do
  source 'https://example.org/x'
end
remote_file '/tmp/y' do
  source %w(https://example.org/x https://example.org/y)
  mode 0755
end
directory '/srv' do
  recursive true
end
file '/secret' do
  content 'key'
  sensitive true
end
execute 'a' do
  command lazy { 'b' }
  only_if { true }
  not_if 'test -e /x'
end
service 'web'
web_site 'one' do
  port 8080
end
web_site 'two' do
  action :nothing
end
user 'deploy' do
  uid 900
end
package %w(a b)
