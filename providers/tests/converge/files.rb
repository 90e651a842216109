d = node['d']
directory "#{d}/a/b" do
  recursive true
  mode '0750'
end
file "#{d}/a/b/one" do
  content "first\nsecond\n"
  mode '0640'
end
file "#{d}/plain"
file "#{d}/secret" do
  content 'x'
  sensitive true
end
file "#{d}/none/x" do
  content 'x'
  ignore_failure true
end
file "#{d}/missing" do
  action :delete
end
link "#{d}/ln" do
  to "#{d}/plain"
end
link "#{d}/hard" do
  to "#{d}/plain"
  link_type :hard
end
cookbook_file "#{d}/copied" do
  source 'data.bin'
end
file 'change' do
  path "#{d}/a/b/one"
  content "first\nthird\n"
  mode 0600
  backup 2
end
file "#{d}/bad" do
  content "{"
  verify :json
  ignore_failure true
end
file "#{d}/good" do
  content "ok\n"
  verify 'grep -q ok %{path}'
  verify { |path| File.read(path) == "ok\n" }
end
directory "#{d}/a" do
  recursive true
  action :delete
end
