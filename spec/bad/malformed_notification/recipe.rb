file '@ROOT@/x' do
  notifies :restart, 'service nginx'
end
