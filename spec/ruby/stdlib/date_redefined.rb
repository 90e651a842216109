# Programs that redefine how dates become text, as ActiveSupport does, do not change what the library's own methods say.
require "date"
class Date
  def shown(_ = :default) = to_default_s
  alias_method :to_default_s, :to_s
  alias_method :to_s, :shown
end
day, moment = Date.new(2020, 1, 2), DateTime.new(2020, 1, 2, 3, 4, 5)
p day.to_s, moment.to_s
class DateTime
  alias_method :to_default_s, :to_s
  alias_method :to_s, :shown
end
p moment.to_s
class Date
  def strftime(*) = "changed"
end
p moment.iso8601, moment.jisx0301, moment.to_default_s, day.to_default_s, day.xmlschema, day.httpdate, day.jisx0301, day.rfc2822, day.asctime, day.strftime
