name 'dev'
default_attributes 'app' => { 'port' => 8081 }
