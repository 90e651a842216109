execute 'first' do
  command 'true'
  action :nothing
end
file '@ROOT@/t/a' do
  notifies :run, 'execute[first]', :before
end
