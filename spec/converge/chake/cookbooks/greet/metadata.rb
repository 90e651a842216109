name 'greet'
