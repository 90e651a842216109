include_recipe 'bad::setup'
