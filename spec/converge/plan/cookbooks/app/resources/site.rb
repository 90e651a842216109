provides :app_site
unified_mode true
property :root, String

action :create do
  directory "#{new_resource.root}/sites"
  file "#{new_resource.root}/sites/#{new_resource.name}" do
    content "site #{new_resource.name}\n"
    notifies :run, 'execute[reload]', :delayed
  end
end
