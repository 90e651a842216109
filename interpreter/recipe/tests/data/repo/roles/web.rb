name 'web'
description 'Web servers'
run_list 'recipe[a]', 'role[base]', 'role[web]'
default_attributes 'k' => 'web', 'list' => [1, 2], 'port' => { 'main' => 80 }
override_attributes 'o' => 'role'
