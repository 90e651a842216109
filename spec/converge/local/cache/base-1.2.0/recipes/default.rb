log 'base 1.2.0'
