# The deliberate conflict: the policy `base` manages this file too.
file "#{node['sample']['root']}/motd" do
  content "Port #{node['app']['port']} is the app's.\n"
  mode '0644'
end
