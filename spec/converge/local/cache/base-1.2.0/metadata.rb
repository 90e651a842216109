name 'base'
version '1.2.0'
