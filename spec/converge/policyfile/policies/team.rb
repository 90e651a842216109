name 'team'
include_policy 'web', path: './web.lock.json'
run_list 'db'
cookbook 'db', '~> 1.1', path: '../cookbooks/db'
