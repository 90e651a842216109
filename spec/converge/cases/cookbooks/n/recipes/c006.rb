execute 'late' do
  command 'true'
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
file '@ROOT@/t/b' do
  notifies :run, 'execute[late]'
end
file '@ROOT@/t/c'
