# Constants of libraries that come along with others.
%w[yaml erb csv open-uri net/http uri].zip([%w[Forwardable SingleForwardable StringScanner StringIO], %w[StringScanner], %w[Date DateTime StringScanner Forwardable], %w[Date DateTime], %w[Zlib IPAddr], %w[IPAddr]]) do |library, names|
  require library
  p [library, names.map { |name| [Object.const_defined?(name), Object.const_get(name).class] }]
end
