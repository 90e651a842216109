name 'e2'
