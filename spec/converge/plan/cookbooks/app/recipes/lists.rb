root = node['app']['root']

execute 'apt-get -qq update'

# package lists do not make directories
file "#{root}/missing/file" do
  content 'x'
end
