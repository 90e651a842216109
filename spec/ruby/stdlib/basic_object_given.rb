# BasicObject has no method by which it could be asked what it is.
require "date"; require "time"; require "bigdecimal"
b = BasicObject.new
def t(n); r = yield; puts "#{n}: #{r.inspect}"; rescue Exception => e; puts "#{n}: #{e.class} #{e.message.lines[0]}"; end
t("BigDecimal") { BigDecimal(b) }
t("BigDecimal exception: false") { BigDecimal(b, exception: false) }
t("Date.parse") { Date.parse(b) }; t("DateTime.parse") { DateTime.parse(b) }; t("Date._parse") { Date._parse(b) }; t("Time.parse") { Time.parse(b) }
t("DateTime.iso8601") { DateTime.iso8601(b) }; t("Date.iso8601") { Date.iso8601(b) }; t("Date.new") { Date.new(b) }
t("Date.new") { Date.new(1, b) };     t("Date.new") { Date.new(1, 1, 1, b) }
t("strptime") { Date.strptime(b) }
t("strptime") { Date.strptime("x", b) }
t("I") { Integer(b) }
t("I") { Float(b) }
