# Connections to a mock instead of a database.
require "sequel"
class << Sequel
  alias connect_really connect
  def connect(to, *rest, **options) = to == :mock || options[:adapter] == :mock ? connect_really(to, *rest, **options) : connect_really("mock://sqlite")
end
