name 'web'
run_list 'recipe[app]'
env_run_lists 'prod' => ['recipe[app]', 'recipe[needy]'], '_default' => ['recipe[app]']
default_attributes 'app' => { 'from' => 'role' }
