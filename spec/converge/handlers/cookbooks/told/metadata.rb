name 'told'
version '1.0.0'
