file '/tmp/x' do
  contnet 'hello'
end
