%w(a b).zip(%w(b a)).each do |from, to|
  execute from do
    command 'true'
    action :nothing
    notifies :run, "execute[#{to}]"
  end
end
execute 'start' do
  command 'true'
  notifies :run, 'execute[a]'
end
