name 'n'
depends 'at_once'
