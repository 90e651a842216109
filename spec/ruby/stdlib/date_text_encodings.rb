require "date"
d, t = Date.new(2026, 11, 28), DateTime.new(2026, 11, 28, 1, 2, 3.5r, "+01:00")
%i[to_s inspect iso8601 xmlschema httpdate rfc2822 rfc3339 jisx0301 strftime ctime].each { |name| puts "#{name} #{d.send(name)} #{d.send(name).encoding} #{t.send(name).encoding}" }
p d.strftime("é %F").encoding, d.strftime("%F").encoding, t.zone.encoding, Date::MONTHNAMES[1].encoding, Date::ABBR_DAYNAMES[0].encoding
p Date._parse("2001-02-03", foo: 1), Date._iso8601("2001-02-03", foo: 1), Date.iso8601("2001-02-03", Date::ITALY, foo: 1).to_s
