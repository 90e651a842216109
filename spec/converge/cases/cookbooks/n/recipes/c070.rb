n_asserts 'assumed'
n_asserts 'blocked' do
  blocked true
end
n_asserts 'nothing' do
  action :nothing
end
