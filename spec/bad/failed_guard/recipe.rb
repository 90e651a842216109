file '@ROOT@/x' do
  only_if { node['app']['enabled'] }
end
