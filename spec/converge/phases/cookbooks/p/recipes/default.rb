include_recipe 'b'
Order.note('p recipes/default')
Order::NOTES.each { |note| puts note }
