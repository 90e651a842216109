chef_handler 'Hears' do
  arguments mark: '+'
end

chef_handler 'Refuses'

file "#{Dir.pwd}/one" do
  content "1\n"
  notifies :write, 'log[told]', :immediately
end

log 'told' do
  action :nothing
end

file "#{Dir.pwd}/two" do
  not_if { true }
end
