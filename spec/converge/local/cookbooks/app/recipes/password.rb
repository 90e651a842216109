require 'securerandom'
node.normal_unless['db']['user'] = 'app'
node.normal_unless['db']['password'] = SecureRandom.hex(8)
file '../password' do
  content node['db']['password']
  sensitive true
end
