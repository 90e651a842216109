class GeoIP; def initialize(*) = nil; end
