name 'web'
version '1.2.0'
depends 'db', '~> 1.0'
