name 'plugins'
version '1.0.0'
