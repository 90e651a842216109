name 'system'
version '1.0.0'
