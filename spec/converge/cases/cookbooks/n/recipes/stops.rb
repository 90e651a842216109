execute 'late' do
  command 'true'
  action :nothing
end
file '@ROOT@/t/conf' do
  notifies :run, 'execute[late]'
end
execute 'kill -$SIGNAL $PPID; sleep 30; touch @ROOT@/t/lives'
file '@ROOT@/t/after'
