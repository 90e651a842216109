file '@ROOT@/t/string' do
  only_if { 'test -e /' }
end
file '@ROOT@/t/slow' do
  only_if 'sleep 20', timeout: 0.2
end
