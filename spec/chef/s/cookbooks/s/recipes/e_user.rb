directory '@ROOT@/out'
file '@ROOT@/out/u' do
  owner 'no_such_user'
end
