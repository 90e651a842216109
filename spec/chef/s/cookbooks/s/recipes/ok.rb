d = '@ROOT@/out'
directory d
template "#{d}/t.txt" do
  source 'ok.erb'
  variables v: 7
  mode '0640'
  notifies :run, 'execute[delayed]', :delayed
  notifies :run, 'execute[immediate]', :immediately
  notifies :run, 'execute[before]', :before
end
execute 'delayed' do
  command "echo delayed >> #{d}/log"
  action :nothing
end
execute 'immediate' do
  command "echo immediate >> #{d}/log"
  action :nothing
end
execute 'before' do
  command "echo before >> #{d}/log"
  action :nothing
end
execute 'subscriber' do
  command "echo sub >> #{d}/log"
  action :nothing
  subscribes :run, "template[#{d}/t.txt]", :immediately
end
s_thing "#{d}/thing" do
  content "abc\n"
end
file "#{d}/secret" do
  content 'pw'
  sensitive true
end
file "#{d}/del" do
  action :delete
end
file "#{d}/perm" do
  content lazy { 'lazy' }
  owner 'nobody'
  group 'nogroup'
  mode '4755'
end
link("#{d}/ln") { to "#{d}/perm" }
execute 'creates' do
  command 'true'
  creates "#{d}/perm"
end
bash 'script' do
  code "echo one\necho two\n"
  not_if { false }
end
ruby_block 'rb' do
  block { node.run_state['x'] = 1 }
end
log 'msg' do
  level :warn
end
log 'hello'
notify_group 'ng' do
  action :run
  notifies :run, 'execute[delayed]', :delayed
end
file "#{d}/ignored" do
  content 'x'
  path '/nonexistent_dir/x'
  ignore_failure true
end
