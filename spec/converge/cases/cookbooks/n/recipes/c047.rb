run_resources :immediately do
  file '@ROOT@/t/blah'
  puts "sees it: #{File.exist?('@ROOT@/t/blah')}"
  include_recipe 'n::c048'
end
