name 'app'
version '2.0.1'
depends 'base', '~> 1.2'
