bad_site 'example' do
  port 8080
end
