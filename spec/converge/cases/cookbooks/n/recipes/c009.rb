execute 'late' do
  command 'true'
  action :nothing
end
file '@ROOT@/t/a' do
  notifies :run, 'execute[late]'
end
execute 'false'
