include_recipe 'base'
::Chef::DSL::Recipe.include(Web::Helpers)
::Chef::Resource.include(Web::Helpers)

[web_root, "#{web_root}/sites"].each do |path|
  directory path
end

execute 'check configuration' do
  command "test -e #{web_root}/web.conf"
  action :nothing
end

file "#{web_root}/reloaded" do
  content "reload\n"
  action :nothing
end

template "#{web_root}/web.conf" do
  source 'web.conf.erb'
  variables(title: 'Written by rchef', sites: node['web']['sites'].keys.sort)
  mode '0640'
  notifies :run, 'execute[check configuration]', :immediately
  notifies :create, "file[#{web_root}/reloaded]", :delayed
end

include_recipe 'web::sites'

file "#{web_root}/tls.conf" do
  content "protocols\n"
  only_if { node['web']['tls']['enabled'] }
end

file "#{web_root}/first-run" do
  content "done\n"
  not_if "test -e #{web_root}/first-run"
end
