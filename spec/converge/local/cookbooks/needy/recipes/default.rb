log 'needy'
include_recipe 'base'
