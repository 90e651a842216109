# Random numbers are the systems here anyway.
require "securerandom"
Sysrandom = SecureRandom unless defined?(Sysrandom)
