execute 'told' do
  command 'true'
  action :nothing
end
execute 'fails' do
  command 'echo try >> @ROOT@/t/tries; exit 1'
  retries 2
  retry_delay 0
  ignore_failure :quiet
  notifies :run, 'execute[told]', :immediately
end
execute 'cat @ROOT@/t/tries' do
  live_stream true
end
