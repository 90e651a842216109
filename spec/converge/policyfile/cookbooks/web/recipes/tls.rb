include_recipe 'web'
