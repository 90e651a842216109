log 'base 2.0.0'
