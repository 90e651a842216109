template '@ROOT@/app.conf' do
  variables(app: nil)
end
