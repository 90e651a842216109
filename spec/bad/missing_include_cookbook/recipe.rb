include_recipe 'ghost::default'
