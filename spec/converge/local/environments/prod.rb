name 'prod'
default_attributes 'app' => { 'from' => 'environment' }
