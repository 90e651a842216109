file "#{Chef::Config[:chef_repo_path]}/greeting" do
  content "#{node['greeting']}\n"
end
