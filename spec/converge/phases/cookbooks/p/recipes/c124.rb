['role:web AND NOT name:x*', 'platform:deb*', 'motd:"hello world"', 'recipes:a\:\:b', 'name:web?', 'NOT role:web', 'role:db OR name:x1'].each do |query|
  puts "#{query}: #{search(:node, query).map(&:name).sort.join(' ')}"
end
begin
  search(:node, '(role:web')
rescue => error
  puts "#{error.class}: #{error.message}"
end
