execute 'told' do
  command 'true'
  action :nothing
end
execute 'once' do
  command 'test -e @ROOT@/t/second || { touch @ROOT@/t/second; exit 1; }'
  retries 2
  retry_delay 0
  notifies :run, 'execute[told]', :immediately
end
