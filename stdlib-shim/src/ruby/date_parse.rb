# Date from text: the loose parser, the parsers of standards, and the completion of what was found to a date.
class Date
  # What is found is a Hash, as `Date._parse` gives it.
  module Reader
    MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    DAYS = "sun|mon|tue|wed|thu|fri|sat"
    ERA = 'c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.)'
    ZONE = '(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|(?-i:[[:alpha:].\s]+)(?:standard|daylight)\stime\b|(?-i:[[:alpha:]]+)(?:\sdst)?\b'
    TIME = /((?:\d+\s*:\s*\d+(?:\s*:\s*\d+(?:[,.]\d*)?)?|\d+\s*h(?:\s*\d+m?(?:\s*\d+s?)?)?)(?:\s*[ap](?:m\b|\.m\.))?|\d+\s*[ap](?:m\b|\.m\.))(?:\s*(#{ZONE}))?/i
    CLOCK = /\A(\d+)\s*(?:(?:h|:)(?:\s*(\d+)m?(?:\s*:?\s*(\d+)(?:[,.](\d*))?s?)?)?)?(?:\s*([ap])(?:m\b|\.m\.))?/i
    EU = /('?\d+)[^-\d\s]*\s*(#{MONTHS})[^-\d\s']*(?:\s*(#{ERA})?\s*('?-?\d+(?:(?:st|nd|rd|th)\b)?))?/i
    US = /\b(#{MONTHS})[^-\d\s']*\s*('?\d+)[^-\d\s']*(?:\s*,?\s*(#{ERA})?\s*('?-?\d+))?/i
    DIGITS = /([-+]?)(\d{2,14})(?:\s*t?\s*(\d{2,6})?(?:[,.](\d*))?)?(z\b|[-+]\d{1,4}\b|\[[-+]?\d[^\]]*\])?/i
    JIS = { "m" => 1867, "t" => 1911, "s" => 1925, "h" => 1988, "r" => 2018 }.freeze

    module_function

    def month(name) = MONTHS.split("|").index(name[0, 3].downcase) + 1
    def weekday(name) = DAYS.split("|").index(name[0, 3].downcase)
    def fraction(digits) = Rational(digits.to_i, 10**digits.size)

    # Removes the match from the text, so that later rules do not see it.
    def take(text, pattern)
      match = pattern.match(text) or return nil
      text[match.begin(0)...match.end(0)] = " "
      match
    end

    def parse(source, complete)
      found = {}
      text = source.gsub(%r{[^-+',./:@[:alnum:]\[\]]+}, " ")
      @century = complete
      if (match = take(text, /\b(#{DAYS})[^-\/\d\s]*/i))
        found[:wday] = weekday(match[1])
      end
      clock(text, found)
      date(text, found)
      era(text, found)
      lone_number(text, found)
      if @century && (year = found[:year]) && !found.delete(:_bc) && found.delete(:_comp) && year.between?(0, 99)
        found[:year] = year + (year >= 69 ? 1900 : 2000)
      end
      if @century && (year = found[:cwyear]) && found.delete(:_comp) && year.between?(0, 99)
        found[:cwyear] = year + (year >= 69 ? 1900 : 2000)
      end
      found.delete(:_bc)
      found.delete(:_comp)
      found[:offset] = Date._zone_offset(found[:zone]) if found[:zone] && !found.key?(:offset)
      found
    end

    def clock(text, found)
      match = take(text, TIME) or return
      found[:zone] = match[2] if match[2]
      at = CLOCK.match(match[1]) or return
      hour = at[1].to_i
      hour = hour % 12 + (at[5].downcase == "p" ? 12 : 0) if at[5]
      found[:hour] = hour
      found[:min] = at[2].to_i if at[2]
      found[:sec] = at[3].to_i if at[3]
      found[:sec_fraction] = fraction(at[4]) if at[4] && !at[4].empty?
    end

    def date(text, found)
      %i(eu us iso jis vms slashes dots weeks year month_name day_of_month digits).any? { |rule| __send__(rule, text, found) }
    end

    def eu(text, found)
      match = take(text, EU) or return
      triple(found, match[4], month(match[2]).to_s, match[1], match[3]&.start_with?("b", "B"))
    end

    def us(text, found)
      match = take(text, US) or return
      triple(found, match[4], month(match[1]).to_s, match[2], match[3]&.start_with?("b", "B"))
    end

    def iso(text, found)
      match = take(text, /('?[-+]?\d+)-(\d+)-('?-?\d+)/) or return
      triple(found, match[1], match[2], match[3], false)
    end

    def weeks(text, found)
      if (match = take(text, /\b(\d{2}|\d{4})?-?w(\d{2})(?:-?(\d))?\b/i))
        (found[:cwyear] = match[1].to_i; found[:_comp] = match[1].size < 4) if match[1]
        found[:cweek] = match[2].to_i
        found[:cwday] = match[3].to_i if match[3]
      elsif (match = take(text, /-w-(\d)\b/i))
        found[:cwday] = match[1].to_i
      elsif (match = take(text, /--(\d{2})?-(\d{2})\b/) || take(text, /--(\d{2})(\d{2})?\b/))
        found[:mon] = match[1].to_i if match[1]
        found[:mday] = match[2].to_i if match[2]
      elsif !text.match?(/[,.](\d{2}|\d{4})-\d{3}(?!\d)/) && (match = take(text, /\b(\d{2}|\d{4})-(\d{3})\b/))
        found[:year] = match[1].to_i
        found[:_comp] = match[1].size < 4
        found[:yday] = match[2].to_i
      elsif !text.match?(/\d-\d{3}(?!\d)/) && (match = take(text, /\B-(\d{3})\b/))
        found[:yday] = match[1].to_i
      else return false
      end
      true
    end

    def jis(text, found)
      match = take(text, /\b([mtshr])(\d+)\.(\d+)\.(\d+)/i) or return
      found[:year] = match[2].to_i + JIS[match[1].downcase]
      found[:mon] = match[3].to_i
      found[:mday] = match[4].to_i
      true
    end

    def vms(text, found)
      if (match = take(text, /('?-?\d+)-(#{MONTHS})[^-\/.]*-('?-?\d+)/i))
        triple(found, match[3], month(match[2]).to_s, match[1], false)
      elsif (match = take(text, /\b(#{MONTHS})[^-\/.]*-('?-?\d+)(?:-('?-?\d+))?/i))
        triple(found, match[3], month(match[1]).to_s, match[2], false)
      end
    end

    def slashes(text, found)
      match = take(text, %r{('?-?\d+)/\s*('?\d+)(?:\D\s*('?-?\d+))?}) or return
      triple(found, match[1], match[2], match[3], false)
    end

    def dots(text, found)
      match = take(text, /('?-?\d+)\.\s*('?\d+)\.\s*('?-?\d+)/) or return
      triple(found, match[1], match[2], match[3], false)
    end

    def year(text, found)
      match = take(text, /'(\d+)\b/) or return
      found[:year] = match[1].to_i
      found[:_comp] = true
    end

    def month_name(text, found)
      match = take(text, /\b(#{MONTHS})\S*/i) or return
      found[:mon] = month(match[1])
    end

    def day_of_month(text, found)
      match = take(text, /(\d+)(st|nd|rd|th)\b/i) or return
      found[:mday] = match[1].to_i
    end

    # Runs of digits: what they mean goes by how many there are, counted from the right when a time in digits or a fraction follows.
    DATE_PARTS = {
      2 => [[:mday, 2]], 4 => [[:mon, 2], [:mday, 2]], 6 => [[:year, 2], [:mon, 2], [:mday, 2]],
      8 => [[:year, 4], [:mon, 2], [:mday, 2]], 10 => [[:year, 4], [:mon, 2], [:mday, 2], [:hour, 2]],
      12 => [[:year, 4], [:mon, 2], [:mday, 2], [:hour, 2], [:min, 2]],
      14 => [[:year, 4], [:mon, 2], [:mday, 2], [:hour, 2], [:min, 2], [:sec, 2]], 3 => [[:yday, 3]], 5 => [[:year, 2], [:yday, 3]], 7 => [[:year, 4], [:yday, 3]]
    }.freeze
    CLOCK_PARTS = %i(sec min hour mday mon year).freeze
    CLOCK_SIZES = [2, 3, 4, 5, 6, 7, 8, 10, 12, 14].freeze

    def digits(text, found)
      match = take(text, DIGITS) or return
      sign, number, time, part, zone = match.captures
      if time.nil? && part
        rest = CLOCK_SIZES.include?(number.size) ? number : ""
        CLOCK_PARTS.each do |key|
          break if rest.empty?
          width = key == :year && rest.size > 2 ? 4 : 2
          width = [width, rest.size].min
          found[key] = rest[-width..].to_i
          found[:_comp] = width < 4 if key == :year
          rest = rest[0...-width]
        end
        found[:year] = -found[:year] if sign == "-" && found[:year]
      else
        at = 0
        (DATE_PARTS[number.size] || []).each do |key, width|
          found[key] = number[at, width].to_i
          (found[:_comp] = width < 4 && sign.empty?; found[key] = -found[key] if sign == "-") if key == :year
          at += width
        end
      end
      if time
        parts = part ? time.scan(/../).reverse.zip(%i(sec min hour)) : time.scan(/../).zip(%i(hour min sec))
        parts.each { |digits, key| found[key] = digits.to_i } if time.size.even?
      end
      found[:sec_fraction] = fraction(part) if part
      digits_zone(zone, found) if zone
      true
    end

    def digits_zone(zone, found)
      unless zone.start_with?("[")
        found[:zone] = zone
        found[:offset] = Date._zone_offset(zone)
        return
      end
      inside = zone[1..-2]
      name = inside[/:(.*)/m, 1]
      text = inside
      found[:zone] = name || inside
      found[:offset] = Date._zone_offset(text.match?(/\A\d/) ? "+#{text}" : text)
    end

    def era(text, found)
      take(text, /\b(bc\b|bce\b|b\.c\.|b\.c\.e\.)/i) or return
      found[:year] = 1 - found[:year] if found[:year]
      found[:cwyear] = 1 - found[:cwyear] if found[:cwyear]
      found[:_bc] = true
    end

    def lone_number(text, found)
      match = /\A\s*(\d{1,2})\s*\z/.match(text) or return
      number = match[1].to_i
      if found[:hour] && !found[:mday]
        found[:mday] = number if number.between?(1, 31)
      elsif found[:mday] && !found[:hour]
        found[:hour] = number if number.between?(0, 24)
      end
    end

    def yearlike?(part) = part.start_with?("'") || part[/\d+/].size > 2

    # Year, month and day in the order that the text has them: a part that can only be a year is moved to the year's place.
    def triple(found, year, month, day, before_christ)
      year, month, day = day, year, month if year && month && !day
      year, day = day, year if year.nil? && day && yearlike?(day)
      if year && (match = /\d+(.*)/m.match(year)) && !match[1].empty?
        year, day = day, year[/\d+/]
      end
      year, month, day = month, day, year if month && yearlike?(month)
      year, day = day, year if day && yearlike?(day)
      if year
        match = /([-+])?(\d+)/.match(year)
        value = match[0].to_i
        found[:_comp] = !(year.start_with?("'") ? false : match[1] || match[2].size > 2)
        if before_christ
          value = 1 - value
          found[:_bc] = true
        end
        found[:year] = value
      end
      found[:mon] = month[/\d+/].to_i if month
      found[:mday] = day[/\d+/].to_i if day
      true
    end
  end
  private_constant :Reader

  # Fills what was found up to a day.
  module Completion
    KINDS = [
      [:time, %i(hour min sec)], [nil, %i(start)], [:ordinal, %i(year yday hour min sec)], [:civil, %i(year mon mday hour min sec)], [:jd, %i(jd hour min sec)],
      [:wday, %i(wday hour min sec)], [:commercial, %i(cwyear cweek cwday hour min sec)], [:wnum0, %i(year wnum0 wday hour min sec)], [:wnum1, %i(year wnum1 wday hour min sec)],
      [nil, %i(cwyear cweek wday hour min sec)], [nil, %i(year wnum0 cwday hour min sec)], [nil, %i(year wnum1 cwday hour min sec)]
    ].freeze

    module_function

    def seconds(found)
      total = found.delete(:seconds) or return found
      total += found[:offset] if found[:offset]
      days, rest = total.divmod(86_400)
      hour, rest = rest.divmod(3600)
      minute, rest = rest.divmod(60)
      second, part = rest.divmod(1)
      found.merge!(jd: UNIX_EPOCH_JD + days, hour: hour, min: minute, sec: second, sec_fraction: part)
    end

    def complete(klass, found)
      kind, fields = KINDS.max_by.with_index { |(_, keys), index| [keys.count { |key| found.key?(key) }, -index] }
      return found unless fields.any? { |key| found.key?(key) }
      fill(kind, found, klass) if kind && fields.count { |key| found.key?(key) } != fields.size
      if kind == :time
        found[:jd] ||= Date.today.jd if klass <= DateTime
      end
      found[:hour] ||= 0
      found[:min] ||= 0
      found[:sec] = [found[:sec] || 0, 59].min
      found
    end

    def leading(found, fields, today)
      fields.each do |key|
        break if found.key?(key)
        found[key] = today.__send__(key)
      end
    end

    def fill(kind, found, _klass)
      today = Date.today
      case kind
      when :ordinal
        leading(found, %i(year), today)
        found[:yday] ||= 1
      when :civil
        leading(found, %i(year mon mday), today)
        found[:mon] ||= 1
        found[:mday] ||= 1
      when :commercial
        leading(found, %i(cwyear cweek cwday), today)
        found[:cweek] ||= 1
        found[:cwday] ||= 1 unless found[:wday]
      when :wday
        found[:jd] ||= (today - today.wday + found[:wday]).jd
      when :wnum0, :wnum1
        leading(found, %i(year), today)
        found[kind] ||= 0
        found[:wday] ||= kind == :wnum0 ? 0 : 1
      end
    end

    def day(found, start)
      return found[:jd] if found[:jd]
      if found[:yday] && found[:year] && (jd = Calendar.valid_ordinal(found[:year], found[:yday], start)) then return jd end
      if found[:mday] && found[:mon] && found[:year] && (jd = Calendar.valid_civil(found[:year], found[:mon], found[:mday], start)) then return jd end
      weekday = found[:cwday] || (found[:wday] && (found[:wday] == 0 ? 7 : found[:wday]))
      if weekday && found[:cweek] && found[:cwyear] && (jd = Calendar.valid_commercial(found[:cwyear], found[:cweek], weekday, start)) then return jd end
      sunday = found[:wday] || (found[:cwday] && found[:cwday] % 7)
      if sunday && found[:wnum0] && found[:year] && (jd = Calendar.valid_weeknum(found[:year], found[:wnum0], sunday, 0, start)) then return jd end
      monday = found[:wday] ? (found[:wday] - 1) % 7 : found[:cwday] && (found[:cwday] - 1) % 7
      Calendar.valid_weeknum(found[:year], found[:wnum1], monday, 1, start) if monday && found[:wnum1] && found[:year]
    end
  end
  private_constant :Completion

  class << self
    def _parse(text, complete = true, limit: 128, **)
      raise TypeError, "no implicit conversion of Symbol into String" if Symbol === text
      Reader.parse(checked(text, limit), complete)
    end

    # Parts that come first, in the order in which they are found.
    ISO_ORDERS = [%i(cweek cwday cwyear), %i(yday year), %i(mday)].freeze
    private_constant :ISO_ORDERS

    def _iso8601(text, limit: 128, **)
      return {} if NilClass === text
      standard(checked(text, limit), [
        /\A\s*(?:(?<year>[-+]?\d{2,})-(?<mon>\d{2})?(?:-(?<mday>\d{2}))?|--(?<mon>\d{2})?-(?<mday>\d{2})|(?<year>[-+]?\d{2,})?-(?<yday>\d{3})|(?<cwyear>\d{4}|\d{2})?-w(?<cweek>\d{2})-(?<cwday>\d)|-w-(?<cwday>\d))(?:t(?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2})(?:[.,](?<sec_fraction>\d+))?)?(?<zone>z|[-+]\d{2}(?::?\d{2})?)?)?\s*\z/i,
        /\A\s*(?:--(?<mon>\d{2})(?<mday>\d{2})|---(?<mday>\d{2}))(?:t?(?<hour>\d{2})(?<min>\d{2})(?:(?<sec>\d{2})(?:[.,](?<sec_fraction>\d+))?)?(?<zone>z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/i,
        /\A\s*--(?<mon>\d{2})(?:t(?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2})(?:[.,](?<sec_fraction>\d+))?)?(?<zone>z|[-+]\d{2}(?::?\d{2})?)?)?\s*\z/i,
        /\A\s*(?:(?<year>[-+]?(?:\d{4}|\d{2}))(?<mon>\d{2})(?<mday>\d{2})|(?<year>[-+]?(?:\d{4}|\d{2}))(?<yday>\d{3})|-(?<yday>\d{3})|(?<cwyear>\d{4}|\d{2})w(?<cweek>\d{2})(?<cwday>\d)|-w(?<cweek>\d{2})(?<cwday>\d)|-w-(?<cwday>\d))(?:t?(?<hour>\d{2})(?<min>\d{2})(?:(?<sec>\d{2})(?:[.,](?<sec_fraction>\d+))?)?(?<zone>z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/i,
        /\A\s*(?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2})(?:[.,](?<sec_fraction>\d+))?(?<zone>z|[-+]\d{2}(?::?\d{2})?)?)?\s*\z/i,
        /\A\s*(?<hour>\d{2})(?<min>\d{2})(?:(?<sec>\d{2})(?:[.,](?<sec_fraction>\d+))?(?<zone>z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/i
      ]).then { |found| ISO_ORDERS.find { |keys| keys.all? { |key| found.key?(key) } }&.to_h { |key| [key, found[key]] }&.merge(found) || found }
    end

    def _rfc3339(text, limit: 128, **)
      return {} if NilClass === text
      standard(checked(text, limit), [/\A\s*(?<year>-?\d{4})-(?<mon>\d{2})-(?<mday>\d{2})(?:t|\s)(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})(?:\.(?<sec_fraction>\d+))?(?<zone>z|[-+]\d{2}:\d{2})\s*\z/i]).then { |found| (part = found.delete(:sec_fraction)) ? found.merge(sec_fraction: part) : found }
    end

    def _xmlschema(text, limit: 128, **)
      return {} if NilClass === text
      standard(checked(text, limit), [
        /\A\s*(?<year>-?\d{4,})(?:-(?<mon>\d{2})(?:-(?<mday>\d{2}))?)?(?:t(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})(?:\.(?<sec_fraction>\d+))?)?(?<zone>z|[-+]\d{2}(?::\d{2})?)?\s*\z/i,
        /\A\s*(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})(?:\.(?<sec_fraction>\d+))?(?<zone>z|[-+]\d{2}(?::\d{2})?)?\s*\z/i,
        /\A\s*(?:--(?<mon>\d{2})(?:-(?<mday>\d{2}))?|---(?<mday>\d{2}))(?<zone>z|[-+]\d{2}(?::\d{2})?)?\s*\z/i
      ])
    end

    def _rfc2822(text, limit: 128, **)
      return {} if NilClass === text
      standard(checked(text, limit), [/\A\s*(?:(?<wday>#{Reader::DAYS})\s*,\s+)?(?<mday>\d{1,2})\s+(?<mon>#{Reader::MONTHS})\s+(?<year>-?\d{2,})\s+(?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2}))?\s*(?<zone>[-+]\d{2}\d{2}|[[:alpha:]]+)\s*\z/i]).tap do |found|
        found[:year] += found[:year] < 50 ? 2000 : 1900 if found[:year]&.between?(0, 999) && found[:year] < 100
        found[:year] += 1900 if found[:year]&.between?(100, 999)
      end
    end
    alias _rfc822 _rfc2822

    def _httpdate(text, limit: 128, **)
      return {} if NilClass === text
      found = standard(checked(text, limit), [
        /\A\s*(?<wday>#{Reader::DAYS})\s*,\s+(?<mday>\d{2})\s+(?<mon>#{Reader::MONTHS})\s+(?<year>-?\d{4})\s+(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})\s+(?<zone>GMT)\s*\z/i,
        /\A\s*(?<wday>sunday|monday|tuesday|wednesday|thursday|friday|saturday)\s*,\s+(?<mday>\d{2})\s*-\s*(?<mon>#{Reader::MONTHS})\s*-\s*(?<year>\d{2})\s+(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})\s+(?<zone>GMT)\s*\z/i,
        /\A\s*(?<wday>#{Reader::DAYS})\s+(?<mon>#{Reader::MONTHS})\s+(?<mday>\d{1,2})\s+(?<hour>\d{2}):(?<min>\d{2}):(?<sec>\d{2})\s+(?<year>\d{4})\s*\z/i
      ])
      found[:year] += found[:year] >= 69 ? 1900 : 2000 if found[:year]&.between?(0, 99)
      found
    end

    def _jisx0301(text, limit: 128, **)
      return {} if NilClass === text
      match = /\A\s*([mtshr])?(\d{2})\.(\d{2})\.(\d{2})(?:t(?:(\d{2}):(\d{2})(?::(\d{2})(?:[,.](\d*))?)?(z|[-+]\d{2}(?::?\d{2})?)?)?)?\s*\z/i.match(checked(text, limit))
      return _iso8601(text, limit: limit) unless match
      found = { year: match[2].to_i + Reader::JIS[(match[1] || "h").downcase], mon: match[3].to_i, mday: match[4].to_i }
      found[:hour] = match[5].to_i if match[5]
      found[:min] = match[6].to_i if match[6]
      found[:sec] = match[7].to_i if match[7]
      found[:sec_fraction] = Reader.fraction(match[8]) if match[8] && !match[8].empty?
      found.merge!(zone: match[9], offset: _zone_offset(match[9])) if match[9]
      found
    end

    def parse(text = "-4712-01-01", complete = true, start = ITALY, limit: 128, **)
      from_fields(_parse(text, complete, limit: limit), start)
    end

    def strptime(text = "-4712-01-01", format = "%F", start = ITALY) = from_format(text, format, start)

    # Each reader with the text that is read when none is given; DateTime's has a time.
    { iso8601: %w(-4712-01-01 -4712-01-01T00:00:00+00:00), xmlschema: %w(-4712-01-01 -4712-01-01T00:00:00+00:00),
      rfc3339: %w(-4712-01-01T00:00:00+00:00), rfc2822: ["Mon, 1 Jan -4712 00:00:00 +0000"], rfc822: ["Mon, 1 Jan -4712 00:00:00 +0000"],
      httpdate: ["Mon, 01 Jan -4712 00:00:00 GMT"], jisx0301: %w(-4712-01-01 -4712-01-01T00:00:00+00:00) }.each do |name, texts|
      reader = :"_#{name}"
      define_method(name) do |text = (self <= DateTime ? texts.last : texts.first), start = ITALY, limit: 128, **|
        from_fields(__send__(reader, text, limit: limit), start)
      end
    end

    private

    def from_format(text, format, start)
      found = _strptime(text, format)
      raise Error, "invalid date" if found.nil?
      from_fields(found, start)
    end

    def checked(text, limit)
      text = text.to_s if Symbol === text
      text = String.try_convert(text) || "" + text
      raise ArgumentError, "string should have ASCII compatible encoding" unless text.encoding.ascii_compatible?
      raise ArgumentError, "string length (#{text.bytesize}) exceeds the limit #{limit}" if limit && text.bytesize > limit
      raise ArgumentError, "invalid byte sequence in #{text.encoding}" unless text.valid_encoding?
      text
    end

    # What the named groups of the first pattern that fits say.
    def standard(text, patterns)
      patterns.each do |pattern|
        match = pattern.match(text) or next
        found = {}
        match.named_captures.each do |name, value|
          next if value.nil?
          key = name.to_sym
          found[key] =
            case key
            when :wday then Reader.weekday(value)
            when :mon then value.match?(/\d/) ? value.to_i : Reader.month(value)
            when :sec_fraction then Reader.fraction(value)
            when :zone then value
            else value.to_i
            end
          found[key] += value.to_i >= 69 ? 1900 : 2000 if %i(year cwyear).include?(key) && value.size < 4 && patterns.size == 6
        end
        found[:offset] = _zone_offset(found[:zone]) if found[:zone]
        return found
      end
      {}
    end

    def from_fields(found, start)
      start = Calendar.start_of(start)
      raise Error, "invalid date" if found.nil? || found.empty?
      found = found.dup
      # A whole date is taken as it is, whatever else was found.
      whole = !found[:jd] && !found[:yday] && found[:year] && found[:mon] && found[:mday]
      found.delete(:seconds) if whole
      if self <= DateTime
        datetime_from(found, start, whole)
      else
        jd = Completion.day(Completion.complete(self, Completion.seconds(found)), start) or raise Error, "invalid date"
        from_local(jd, 0, 0, 0, start)
      end
    end

    def datetime_from(found, start, whole)
      second = found[:sec] if whole
      found = Completion.complete(self, Completion.seconds(found))
      jd = Completion.day(found, start) or raise Error, "invalid date"
      # a leap second is the one before it; what is beyond is an error where the date is whole, and the last second elsewhere
      second = whole ? second || 0 : found[:sec] || 0
      second = 59 if second == 60
      seconds = Calendar.seconds_of(found[:hour] || 0, found[:min] || 0, second) or raise Error, "invalid date"
      offset = found[:offset] || 0
      if offset.abs > 86_400
        warn("invalid offset is ignored", uplevel: 2)
        offset = 0
      end
      part = found[:sec_fraction] || 0
      from_local(jd, seconds, part == 0 ? 0 : part, offset, start)
    end
  end
end

class DateTime
  class << self
    # not through Date's own, which a program may replace
    def parse(text = "-4712-01-01T00:00:00+00:00", complete = true, start = ITALY, limit: 128, **)
      from_fields(_parse(text, complete, limit: limit), start)
    end
    def strptime(text = "-4712-01-01T00:00:00+00:00", format = "%FT%T%z", start = ITALY) = from_format(text, format, start)
    def _strptime(text, format = "%FT%T%z") = super
  end
end
