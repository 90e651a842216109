execute 'late' do
  command 'exit 3'
  action :nothing
end
execute 'other' do
  command 'true'
  action :nothing
end
file '@ROOT@/t/a' do
  notifies :run, 'execute[late]'
  notifies :run, 'execute[other]'
end
execute 'exit 4'
