# Time from text and as text of the common standards.
require "date"

class Time
  ZONE_NAMES = { "UTC" => 0, "Z" => 0, "UT" => 0, "GMT" => 0, "EST" => -5, "EDT" => -4, "CST" => -6, "CDT" => -5, "MST" => -7, "MDT" => -6, "PST" => -8, "PDT" => -7 }.freeze
  RFC2822_DAY_NAME = Date::ABBR_DAYNAMES
  RFC2822_MONTH_NAME = Date::ABBR_MONTHNAMES.compact.freeze
  private_constant :ZONE_NAMES

  class << self
    def zone_offset(zone, year = now.year)
      zone = zone.upcase
      case zone
      when /\A([+-])(\d\d)(:?)(\d\d)(?:\3(\d\d))?\z/ then ($1 == "-" ? -1 : 1) * ($2.to_i * 3600 + $4.to_i * 60 + $5.to_i)
      when /\A[+-]\d\d\z/ then zone.to_i * 3600
      when /\A[A-IK-Z]\z/ then military(zone)
      else
        return ZONE_NAMES[zone] * 3600 if ZONE_NAMES.key?(zone)
        [1, 7].each { |month| (at = local(year, month, 1)).zone == zone and return at.utc_offset }
        nil
      end
    end

    def parse(text, now = self.now)
      found = Date._parse(text, !block_given?)
      year = found[:year]
      year = yield(year) if year && block_given?
      assemble(text, found, year, now)
    end

    def strptime(text, format, now = self.now)
      found = Date._strptime(text, format) or raise ArgumentError, "invalid date or strptime format - `#{text}' `#{format}'"
      if (seconds = found[:seconds])
        part = found[:sec_fraction]
        seconds += seconds < 0 ? -part : part if part
        made = at(seconds)
        zone = found[:zone] and in_zone(made, zone, found[:offset])
        return made
      end
      year = found[:year]
      year = yield(year) if year && block_given?
      dated = found[:mon] && found[:mday]
      return Date.strptime(text, format).to_time if found[:cwyear] && !year || ((found[:cwday] || found[:cweek]) && !dated)
      found = found.merge(yday: Date.strptime(text, format).yday) if (found[:wnum0] || found[:wnum1]) && !found[:yday] && !dated
      assemble(text, found, year, now)
    end

    def rfc2822(text)
      found = text.match?(/\A\s*(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\s*,\s*)?\d{1,2}\s+(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{2,}\s+\d{2}\s*:\s*\d{2}(?:\s*:\s*\d\d)?\s*(?:[+-]\d{4}|UT|GMT|EST|EDT|CST|CDT|MST|MDT|PST|PDT|[A-IK-Z])/i) && Date._parse(text.gsub(/\s*:\s*/, ":"), false)
      raise ArgumentError, "not RFC 2822 compliant date: #{text.inspect}" unless found
      year = found[:year]
      year += year < 50 ? 2000 : 1900 if year < 1000 && text.match?(/[a-z]\s+\d\d\s/i)
      year += 1900 if year.between?(100, 999)
      moment(year, found[:mon], found[:mday], found[:hour], found[:min], found[:sec] || 0, 0, found[:zone])
    end
    alias rfc822 rfc2822

    def httpdate(text)
      found = text.match?(/[a-z]/i) ? Date._httpdate(text, limit: nil) : {}
      raise ArgumentError, "not RFC 2616 compliant date: #{text.inspect}" if found.empty?
      year = found[:year]
      year -= 100 if year.between?(2050, 2068) && text.match?(/-\d\d\s/)
      utc(year, found[:mon], found[:mday], found[:hour], found[:min], found[:sec])
    end

    def xmlschema(text)
      match = /\A\s*(-?\d+)-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d(?::?\d\d)?)?)\s*\z/i.match(text)
      raise ArgumentError, "invalid xmlschema format: #{text.inspect}" unless match
      year, month, day = match.captures[0, 3].map(&:to_i)
      part = match[7] ? Rational(match[7].to_i, 10**match[7].size) * 1_000_000 : 0
      zone_or_local(match[8], year, month, day, match[4].to_i, match[5].to_i, match[6].to_i, part)
    end
    alias iso8601 xmlschema

    private

    def military(letter)
      return 0 if letter == "Z"
      east = ("A".."I").to_a + %w(K L M)
      index = east.index(letter) and return (index + 1) * 3600
      -(letter.ord - "N".ord + 1) * 3600
    end

    def zone_or_local(zone, year, month, day, hour, minute, second, micros)
      zone ? moment(year, month, day, hour, minute, second, micros, zone) : local(year, month, day, hour, minute, second, micros)
    end

    def zone_utc?(zone) = ["UTC", "-00:00", "-0000", "Z", "-00"].include?(zone.upcase)

    def in_zone(time, zone, offset = zone_offset(zone))
      if zone_utc?(zone) then time.utc
      elsif offset then time.localtime(offset)
      else time.localtime
      end
    end

    # Shows a moment in a zone: local time where that has the same offset.
    def force_zone!(time, zone, offset = nil)
      return time.utc if zone_utc?(zone)
      offset ||= zone_offset(zone)
      time.localtime
      offset && time.utc_offset != offset ? time.localtime(offset) : time
    end

    # The clock of UTC for one that is so many seconds ahead of it.
    def apply_offset(year, month, day, hour, minute, second, offset)
      at = utc(year, month, day, hour, minute, second) - offset
      [at.year, at.month, at.day, at.hour, at.min, at.sec]
    end

    # The moment of a clock in a zone: written with the zone's own offset.
    def moment(year, month, day, hour, minute, second, micros, zone)
      offset = zone_offset(zone, year) || Date._zone_offset(zone)
      return local(year, month, day, hour, minute, second, micros) unless offset
      made = utc(*apply_offset(year, month, day, hour, minute, second, offset), micros)
      if zone_utc?(zone) then made.utc
      elsif (here = made.dup.localtime).utc_offset == offset then here
      else made.localtime(offset)
      end
    end

    def assemble(text, found, year, now)
      raise ArgumentError, "no time information in #{text.inspect}" unless year || found[:mon] || found[:mday] || found[:yday] || found[:hour] || found[:min] || found[:sec] || found[:sec_fraction]
      if found[:yday]
        year ||= now.year
        raise ArgumentError, "yday #{found[:yday]} out of range" unless Date.valid_ordinal?(year, found[:yday])
        day = Date.ordinal(year, found[:yday])
        found = found.merge(mon: day.mon, mday: day.mday)
      end
      zone = found[:zone]
      offset = zone && zone_offset(zone, year || now.year)
      if now && !(year && found[:mon] && found[:mday])
        base = now
        base = offset ? now.getlocal(offset) : now.getlocal if now.respond_to?(:getlocal)
        year, month, day = fill_day(found, year, base)
      else
        month, day = found[:mon], found[:mday]
      end
      hour, minute, second = found[:hour] || 0, found[:min] || 0, found[:sec] || 0
      micros = (found[:sec_fraction] || 0) * 1_000_000
      return local(year, month, day, hour, minute, second, micros) unless offset
      moment(year, month, day, hour, minute, second, micros, zone)
    end

    # Parts above the first given one are now's; those below it are the least.
    def fill_day(found, year, now)
      month, day = found[:mon], found[:mday]
      unless year
        year = now.year
        unless month
          month = now.mon
          day ||= now.day
        end
      end
      [year, month || 1, day || 1]
    end
  end

  def rfc2822 = strftime("%a, %d %b %Y %T ") << (utc? ? "-0000" : strftime("%z"))
  alias rfc822 rfc2822
  def httpdate = getutc.strftime("%a, %d %b %Y %T GMT")

  def xmlschema(digits = 0)
    text = strftime("%FT%T")
    text << strftime(".%#{digits.to_i}N") if digits.to_i > 0
    text << (utc? ? "Z" : strftime("%:z"))
  end
  alias iso8601 xmlschema
end
