name 'web'
version '1.0.0'
depends 'base', '~> 2.0'
