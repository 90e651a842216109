name 'network'
version '1.0.0'
