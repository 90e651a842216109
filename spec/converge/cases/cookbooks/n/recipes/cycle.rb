%w(a b).zip(%w(b a)).each do |from, to|
  execute from do
    command 'true'
    notifies :run, "execute[#{to}]", :immediately
  end
end
