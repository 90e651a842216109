directry '/srv/app' do
  mode '0755'
end
