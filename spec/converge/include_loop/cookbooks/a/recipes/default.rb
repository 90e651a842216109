include_recipe 'b'
log 'a'
