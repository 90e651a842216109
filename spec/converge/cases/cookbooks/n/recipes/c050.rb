execute 'already compiled' do
  command 'true'
  action :nothing
  subscribes :run, 'file[@ROOT@/t/x]', :immediately
end
run_resources :immediately do
  file '@ROOT@/t/x' do
    notifies :run, 'execute[already compiled]', :immediately
    notifies :run, 'execute[not compiled yet]', :delayed
  end
  file '@ROOT@/t/y' do
    notifies :run, 'execute[not compiled yet]', :immediately
  end
end
execute 'not compiled yet' do
  command 'true'
  action :nothing
end
