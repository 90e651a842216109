execute 'service' do
  command 'test -e @ROOT@/t/ready'
  action :nothing
end
execute 'late' do
  command 'true'
  action :nothing
end
file '@ROOT@/t/conf' do
  notifies :run, 'execute[service]', :immediately
  notifies :run, 'execute[late]'
end
