name 'base'
version '2.0.0'
