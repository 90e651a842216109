name 'b'
depends 'a'
