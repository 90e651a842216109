execute 'outer' do
  command 'true'
  action :nothing
end
run_recipe 'n::c054_unit'
