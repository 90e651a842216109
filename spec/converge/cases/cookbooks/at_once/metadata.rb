name 'at_once'
run_resources :immediately
