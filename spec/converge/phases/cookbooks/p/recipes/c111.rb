execute 'fails' do
  command 'echo told; exit 3'
end
