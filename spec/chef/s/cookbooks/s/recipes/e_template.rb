directory '@ROOT@/out'
template '@ROOT@/out/bad' do
  source 'bad.erb'
end
