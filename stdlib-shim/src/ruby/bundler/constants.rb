# The kind of machine, as Bundler names it.
module Bundler
  WINDOWS = nil
  FREEBSD = RbConfig::CONFIG["host_os"] =~ /bsd/
  NULL = File::NULL
end
