execute 'outside' do
  command 'true'
  action :nothing
end
n_outer 'one'
execute 'true' do
  notifies :run, 'execute[within]'
end
