file '@ROOT@/t/unit' do
  notifies :run, 'execute[forward]', :immediately
end
execute 'forward' do
  command 'true'
  action :nothing
end
