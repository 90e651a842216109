bad_site 'example' do
  port 'http'
end
