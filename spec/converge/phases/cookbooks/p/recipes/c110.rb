file 'out' do
  contents 'x'
end
