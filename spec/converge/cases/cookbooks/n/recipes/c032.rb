file '@ROOT@/t/a' do
  umask '077'
end
execute 'stat -c %a @ROOT@/t/a' do
  live_stream true
end
file '@ROOT@/t/b' do
  umask '999'
end
