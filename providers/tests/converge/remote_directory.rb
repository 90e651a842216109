d = node['d']
remote_directory "#{d}/tree" do
  mode '0750'
  files_mode '0640'
end
file "#{d}/tree/foreign" do
  content "foreign\n"
  action :create_if_missing
end
directory "#{d}/tree/empty/deep" do
  recursive true
  not_if { File.exist?("#{d}/purged") }
end
file "#{d}/tree/sub/two" do
  content "changed\n"
  not_if { File.exist?("#{d}/purged") }
end
link "#{d}/tree/link" do
  to '/etc'
  not_if { File.exist?("#{d}/purged") }
end
remote_directory "#{d}/tree" do
  mode '0750'
  files_mode '0640'
  overwrite false
end
remote_directory 'purge' do
  path "#{d}/tree/"
  source 'tree'
  mode '0750'
  files_mode '0640'
  files_backup false
  purge true
  notifies :create, "file[#{d}/purged]"
end
file "#{d}/purged" do
  action :nothing
end
remote_directory "#{d}/once" do
  source 'tree/sub'
  sensitive true
  action :create_if_missing
end
remote_directory "#{d}/none" do
  source 'absent'
  ignore_failure true
end
remote_directory "#{d}/parent/none" do
  source 'tree/sub'
  recursive false
  ignore_failure true
end
remote_directory "#{d}/gone" do
  action :delete
end
