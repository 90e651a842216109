execute 'migrate' do
  command 'echo applying; echo no such table >&2; exit 7'
end
