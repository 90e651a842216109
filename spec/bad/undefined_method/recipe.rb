name = 'web'
file '@ROOT@/x' do
  content name.capitalise
end
