name 'base'
description 'Every machine'
run_list 'recipe[base]'
default_attributes 'motd' => { 'text' => 'Set by the role base.' }
