# The database itself is an extension: only its names are known here.
module SQLite3
  VERSION = "1.4.2"
  SQLITE_VERSION_NUMBER = 3040000
  class Database; end
  class Exception < StandardError; end
  class ConstraintException < Exception; end
end
