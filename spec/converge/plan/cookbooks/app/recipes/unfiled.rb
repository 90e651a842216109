root = node['app']['root']

execute 'make' do
  command "mkdir -p #{root} && dd if=/dev/null of=#{root}/made status=none"
end

# what the command does is not known, but the run does not change its cookbooks
cookbook_file "#{root}/unfiled" do
  source 'not-there'
end
