package 'hello'

if node['platform'] == 'ubuntu'
  file '/tmp/x' do
    content 'x'
end
