include_recipe 'a'
log 'b'
