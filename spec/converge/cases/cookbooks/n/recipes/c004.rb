file '@ROOT@/t/a' do
  action [:create, :touch, :delete]
end
