execute 'told' do
  command 'true'
  action :nothing
  subscribes :run, 'file[@ROOT@/t/a]', :immediately
  subscribes :run, 'file[nowhere]', :immediately
end
file '@ROOT@/t/a'
