name 'app'
default_source :chef_repo, '..'
run_list 'app', 'app::motd'
named_run_list :quiet, 'app'
default['app']['port'] = 8443
