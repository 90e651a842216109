module Racc
  VERSION = Version = "1.6.0"
  Copyright = "Copyright (c) 1999-2006 Minero Aoki"
end
