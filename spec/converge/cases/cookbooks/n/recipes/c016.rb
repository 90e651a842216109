file '@ROOT@/t/a' do
  notifies :run, 'execute[missing]'
end
