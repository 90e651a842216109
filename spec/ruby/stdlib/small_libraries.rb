# What comes with other libraries, and numbers that tools read.
require "json"
p OpenStruct.new(a: 1).a
p GC.stat.keys.size, GC.stat(:total_allocated_objects).class, GC.stat.values.all?(Integer)
begin
  GC.stat(:unknown)
rescue ArgumentError => error
  p error.message
end
require "rbconfig"
p RbConfig::CONFIG.values_at("UNICODE_VERSION", "UNICODE_EMOJI_VERSION")
require "openssl"
p OpenSSL::OCSP.constants.select { |name| OpenSSL::OCSP.const_get(name).is_a?(Integer) }.sort.map { |name| [name, OpenSSL::OCSP.const_get(name)] }
require "pathname"
p Pathname::SEPARATOR_PAT, "a/b".split(Pathname::SEPARATOR_PAT)
