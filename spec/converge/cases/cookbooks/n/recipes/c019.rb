execute 'told' do
  command 'true'
  action :nothing
end
file '@ROOT@/t/a' do
  content 'one'
end
file '@ROOT@/t/a' do
  content 'two'
  notifies :run, 'execute[told]', :immediately
end
