file '@ROOT@/t/made'
smartos_package 'no provider' do
  retries 3
  retry_delay 60
end
smartos_package 'nobody notifies' do
  action :nothing
end
smartos_package 'guarded' do
  only_if { false }
end
smartos_package 'notified' do
  action :nothing
end
execute 'true' do
  notifies :explode, 'file[@ROOT@/t/made]'
  notifies :remove, 'smartos_package[notified]'
end
