name 'needy'
version '1.0.0'
depends 'base', '~> 1.0'
