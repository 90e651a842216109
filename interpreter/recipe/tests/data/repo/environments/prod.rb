name 'prod'
cookbook 'a', '~> 1.0'
default_attributes 'k' => 'env', 'e' => 'env'
override_attributes 'o' => 'env'
