file '@ROOT@/x' do
  content 'x'
  notifies :restart, 'service[ngnix]', :delayed
end

service 'nginx' do
  action :nothing
end
