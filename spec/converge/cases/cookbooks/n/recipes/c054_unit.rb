file '@ROOT@/t/unit' do
  notifies :run, 'execute[outer]'
end
