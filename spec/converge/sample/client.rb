# evaluated as Ruby
here = File.dirname(__FILE__)

node_name 'sample'
cookbook_path "#{here}/cookbooks"
encrypted_data_bag_secret "#{here}/encrypted_data_bag_secret"
cache_path "#{here}/cache"
