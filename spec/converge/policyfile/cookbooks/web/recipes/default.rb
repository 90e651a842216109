file 'out' do
  content "#{node['web']['port']} #{node['db']['host']}\n"
end
