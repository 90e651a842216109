name 'e1'
