name 'greeter'
run_list 'recipe[greet]'
default_attributes 'greeting' => 'from the role'
