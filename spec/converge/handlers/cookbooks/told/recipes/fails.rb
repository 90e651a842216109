chef_handler 'Hears'

ruby_block 'breaks' do
  block { raise ArgumentError, 'broken' }
end

log 'never reached'
