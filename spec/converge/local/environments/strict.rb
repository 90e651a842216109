name 'strict'
cookbook 'app', '= 9.9.9'
