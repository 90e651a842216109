file '@ROOT@/t/a' do
  notifies :run, 'execute[b]', :immediately
end
file '@ROOT@/t/between'
execute 'b' do
  command 'true'
  action :nothing
end
