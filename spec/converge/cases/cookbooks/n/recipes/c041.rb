execute 'b' do
  command 'true'
  action :nothing
end
file '@ROOT@/t/a' do
  compile_time true
  notifies :run, 'execute[b]', :immediately
end
