template '@ROOT@/out/bad' do
  source 'missing.erb'
end
