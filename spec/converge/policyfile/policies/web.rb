name 'web'
default_source :chef_repo, '..'
run_list 'web'
named_run_list :tls, 'web', 'recipe[web::tls]'
default['web']['port'] = 80
default['prod']['web']['port'] = 443
override['limits'] = { 'files' => [1, 0.1, 2.5e20], 'on' => true, 'none' => nil }
