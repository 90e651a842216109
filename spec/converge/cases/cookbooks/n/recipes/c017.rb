file '@ROOT@/t/a' do
  notifies :run, 'execute[x]', :soon
end
