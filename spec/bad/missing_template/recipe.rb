template '@ROOT@/app.conf' do
  source 'app.conf.erb'
end
