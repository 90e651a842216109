service 'nginx' do
  action :explode
end
