package 'nginx' do
  timeout [5]
end

directory '/srv/app' do
  recursive 'yes'
end
