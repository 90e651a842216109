execute 'outside' do
  command 'true'
  action :nothing
end
execute 'told' do
  command 'true'
  action :nothing
end
n_outer 'one' do
  notifies :run, 'execute[told]'
end
n_outer 'again' do
  notifies :run, 'execute[never]'
end
execute 'never' do
  command 'true'
  action :nothing
end
