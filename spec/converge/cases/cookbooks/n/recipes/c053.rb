run_recipe 'n::c053_unit'
puts "sees it: #{File.exist?('@ROOT@/t/unit')}"
file '@ROOT@/t/outer'
execute 'never' do
  command 'true'
  action :nothing
  subscribes :run, 'file[@ROOT@/t/unit]', :immediately
end
