late = execute('late') do
  command 'true'
  action :nothing
end
reboot 'now' do
  action :nothing
  delay_mins 600
  reason 'a kernel'
end
file '@ROOT@/t/conf' do
  content 'x'
  notifies :run, late
  notifies :reboot_now, 'reboot[now]', :immediately
end
