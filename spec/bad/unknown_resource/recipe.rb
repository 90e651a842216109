file '/tmp/x'

frobnicate 'x' do
  level 3
end
