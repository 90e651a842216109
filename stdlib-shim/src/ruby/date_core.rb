# coding: US-ASCII
# Date and DateTime. An instant is kept as UTC day number, seconds and a fraction of a second, with an offset and the day of calendar reform.
require "date/native"

class Date
  include Comparable

  ITALY = 2_299_161
  ENGLAND = 2_361_222
  JULIAN = Float::INFINITY
  GREGORIAN = -Float::INFINITY
  MONTHNAMES = [nil, *%w(January February March April May June July August September October November December)].each(&:freeze).freeze
  ABBR_MONTHNAMES = [nil, *%w(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)].each(&:freeze).freeze
  DAYNAMES = %w(Sunday Monday Tuesday Wednesday Thursday Friday Saturday).each(&:freeze).freeze
  ABBR_DAYNAMES = %w(Sun Mon Tue Wed Thu Fri Sat).each(&:freeze).freeze
  UNIX_EPOCH_JD = 2_440_588
  private_constant :UNIX_EPOCH_JD

  class Error < ArgumentError; end

  # The calendars' arithmetic.
  module Calendar
    module_function

    def gregorian_jd(year, month, day)
      shift = (14 - month) / 12
      y = year + 4800 - shift
      day + (153 * (month + 12 * shift - 3) + 2) / 5 + 365 * y + y / 4 - y / 100 + y / 400 - 32_045
    end

    def julian_jd(year, month, day)
      shift = (14 - month) / 12
      y = year + 4800 - shift
      day + (153 * (month + 12 * shift - 3) + 2) / 5 + 365 * y + y / 4 - 32_083
    end

    def civil_to_jd(year, month, day, start)
      jd = gregorian_jd(year, month, day)
      jd < start ? julian_jd(year, month, day) : jd
    end

    def jd_to_civil(jd, start)
      if jd >= start
        a = jd + 32_044
        century = (4 * a + 3) / 146_097
        rest = a - 146_097 * century / 4
      else
        century = 0
        rest = jd + 32_082
      end
      y = (4 * rest + 3) / 1461
      days = rest - 1461 * y / 4
      m = (5 * days + 2) / 153
      [100 * century + y - 4800 + m / 10, m + 3 - 12 * (m / 10), days - (153 * m + 2) / 5 + 1]
    end

    def first_of_year(year, start)
      (1..31).each { |day| (jd = exact(year, 1, day, start)) and return jd }
    end

    def last_of_year(year, start)
      31.downto(1) { |day| (jd = exact(year, 12, day, start)) and return jd }
    end

    def last_of_month(year, month, start)
      31.downto(1) { |day| (jd = exact(year, month, day, start)) and return jd }
    end

    def exact(year, month, day, start)
      jd = civil_to_jd(year, month, day, start)
      jd_to_civil(jd, start) == [year, month, day] ? jd : nil
    end

    def valid_civil(year, month, day, start)
      month += 13 if month < 0
      return nil unless month.between?(1, 12)
      return day.between?(1, 31) ? exact(year, month, day, start) : nil if day >= 0
      jd = last_of_month(year, month, start) + day + 1
      jd_to_civil(jd, start)[0, 2] == [year, month] ? jd : nil
    end

    def valid_ordinal(year, yday, start)
      jd = yday < 0 ? last_of_year(year, start) + yday + 1 : first_of_year(year, start) + yday - 1
      return nil if yday == 0
      jd_to_ordinal(jd, start)[0] == year ? jd : nil
    end

    def jd_to_ordinal(jd, start)
      year = jd_to_civil(jd, start)[0]
      [year, jd - first_of_year(year, start) + 1]
    end

    def commercial_to_jd(year, week, day, start)
      a = first_of_year(year, start) + 3
      a - (a % 7) + 7 * (week - 1) + (day - 1)
    end

    def jd_to_commercial(jd, start)
      a = jd_to_civil(jd - 3, start)[0]
      year = jd >= commercial_to_jd(a + 1, 1, 1, start) ? a + 1 : a
      [year, 1 + (jd - commercial_to_jd(year, 1, 1, start)).div(7), jd % 7 + 1]
    end

    def valid_commercial(year, week, day, start)
      day += 8 if day < 0
      if week < 0
        after = jd_to_commercial(commercial_to_jd(year + 1, 1, 1, start) + week * 7, start)
        return nil unless after[0] == year
        week = after[1]
      end
      jd = commercial_to_jd(year, week, day, start)
      [year, week, day] == jd_to_commercial(jd, start) ? jd : nil
    end

    # Weeks counted from the first Sunday (first = 0) or Monday (first = 1).
    def weeknum_to_jd(year, week, day, first, start)
      a = first_of_year(year, start) + 6
      a - ((a - first + 1) % 7) - 7 + 7 * week + day
    end

    def valid_weeknum(year, week, day, first, start)
      day += 7 if day < 0
      jd = weeknum_to_jd(year, week, day, first, start)
      y = jd_to_civil(jd, start)[0]
      y == year && day.between?(0, 6) && week.between?(0, 53) ? jd : nil
    end

    def seconds_of(hour, minute, second)
      hour += 24 if hour < 0
      minute += 60 if minute < 0
      second += 60 if second < 0
      return nil unless (hour.between?(0, 23) && minute.between?(0, 59) && second >= 0 && second < 60) || (hour == 24 && minute == 0 && second == 0)
      hour * 3600 + minute * 60 + second
    end

    def offset_of(value)
      case value
      when String
        found = Date._zone_offset(value)
        unless found && found.abs <= 86_400
          warn("invalid offset is ignored", uplevel: 2)
          return 0
        end
        found
      when Numeric
        seconds = value.is_a?(Float) && !value.finite? ? 172_800 : (value * 86_400).round
        unless seconds.abs <= 86_400
          warn("invalid offset is ignored", uplevel: 2)
          return 0
        end
        seconds
      else raise TypeError, "expected numeric"
      end
    end

    def start_of(value)
      unless Numeric === value
        raise TypeError, "no implicit conversion to float from #{String === value ? "string" : value.inspect}" if [nil, true, false].include?(value) || String === value
        raise TypeError, "can't convert #{Kernel.instance_method(:class).bind_call(value)} into Float"
      end
      number = value.to_f
      if number.nan? || (!number.infinite? && !number.between?(2_298_874, 2_426_355))
        warn("invalid start is ignored", uplevel: 2)
        return ITALY
      end
      number.infinite? ? number : value.to_i
    end

    def number(value, what)
      raise TypeError, "invalid #{what} (not numeric)" unless Numeric === value
      value
    end

    # A number of months, days, weeks, hours: what fits in the machine's int.
    def int(value)
      return value if value.is_a?(Integer) && value.bit_length < 32
      raise RangeError, "float #{value.nan? ? "NaN" : "Inf"} out of range of integer" if value.is_a?(Float) && !value.finite?
      value = value.to_i
      raise RangeError, "bignum too big to convert into `long'" if value.bit_length > 63
      raise RangeError, "integer #{value} too #{value < 0 ? "small" : "big"} to convert to `int'" if value.bit_length > 31
      value
    end

    def month(value) = int(number(value, "month"))

    # The whole part, and what is over.
    def split(value, what)
      number(value, what)
      return [int(value), 0] if value.is_a?(Integer)
      whole = value.floor
      over = value.is_a?(Float) ? value - whole : value.to_r - whole
      [int(whole), over == 0 ? 0 : over]
    end

    # A fraction of a second; a Float has nanoseconds.
    def fraction(value) = value.is_a?(Float) ? Rational((value * 1_000_000_000).round, 1_000_000_000) : value
  end
  private_constant :Calendar

  class << self
    def civil(year = -4712, month = 1, day = 1, start = ITALY)
      made, over = whole_civil(year, month, day, start)
      over == 0 ? made : made + over
    end

    def whole_civil(year, month, day, start)
      Calendar.number(year, "year")
      month = Calendar.month(month)
      day, over = Calendar.split(day, "day")
      start = Calendar.start_of(start)
      jd = Calendar.valid_civil(year.floor, month, day, start) or raise Error, "invalid date"
      [from_local(jd, 0, 0, 0, start), over]
    end
    private :whole_civil

    def jd(jd = 0, start = ITALY)
      Calendar.number(jd, "jd")
      whole = jd.floor
      made = from_local(whole, 0, 0, 0, Calendar.start_of(start))
      whole == jd ? made : made + (jd - whole)
    end

    def ordinal(year = -4712, yday = 1, start = ITALY)
      Calendar.number(year, "year")
      yday, over = Calendar.split(yday, "yday")
      start = Calendar.start_of(start)
      jd = Calendar.valid_ordinal(year.floor, yday, start) or raise Error, "invalid date"
      made = from_local(jd, 0, 0, 0, start)
      over == 0 ? made : made + over
    end

    def commercial(cwyear = -4712, cweek = 1, cwday = 1, start = ITALY)
      Calendar.number(cwyear, "year")
      cweek = Calendar.int(Calendar.number(cweek, "cweek"))
      cwday, over = Calendar.split(cwday, "cwday")
      start = Calendar.start_of(start)
      jd = Calendar.valid_commercial(cwyear.floor, cweek, cwday, start) or raise Error, "invalid date"
      made = from_local(jd, 0, 0, 0, start)
      over == 0 ? made : made + over
    end

    def today(start = ITALY)
      now = Time.now
      from_local(Calendar.gregorian_jd(now.year, now.month, now.day), 0, 0, 0, Calendar.start_of(start))
    end

    def valid_civil?(year, month, day, start = ITALY)
      return false unless [year, month, day].all?(Numeric)
      !Calendar.valid_civil(year.floor, Calendar.int(month), Calendar.int(day.floor), Calendar.start_of(start)).nil?
    end
    alias valid_date? valid_civil?

    def valid_jd?(jd, start = ITALY)
      return false unless Numeric === jd
      Calendar.start_of(start)
      true
    end

    def valid_ordinal?(year, yday, start = ITALY)
      return false unless [year, yday].all?(Numeric)
      !Calendar.valid_ordinal(year.floor, Calendar.int(yday.floor), Calendar.start_of(start)).nil?
    end

    def valid_commercial?(year, week, day, start = ITALY)
      return false unless [year, week, day].all?(Numeric)
      !Calendar.valid_commercial(year.floor, Calendar.int(week), Calendar.int(day.floor), Calendar.start_of(start)).nil?
    end

    def gregorian_leap?(year)
      year = Calendar.number(year, "year").floor
      (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    end
    alias leap? gregorian_leap?

    def julian_leap?(year) = Calendar.number(year, "year").floor % 4 == 0

    # Dates as Ruby before 1.9.2 has dumped them.
    def _load(text) = allocate.tap { |date| date.marshal_load(Marshal.load(text)) }

    # An object from a local day, the second of that day, the fraction and the offset.
    def from_local(jd, seconds, fraction, offset, start)
      days, seconds = (seconds - offset).divmod(86_400)
      from_utc(jd + days, seconds, fraction, offset, start)
    end

    def from_utc(jd, seconds, fraction, offset, start)
      made = allocate
      made.__send__(:place, jd, seconds, fraction, offset, start)
      made
    end
    private :from_local, :from_utc
  end

  def initialize(year = -4712, month = 1, day = 1, start = ITALY)
    other, = Date.__send__(:whole_civil, year, month, day, start)
    place(other.utc_jd, 0, 0, 0, Calendar.start_of(start))
    self
  end

  # Date.new is made without the detour of `initialize` in the plain case.
  def self.new(*args, **options, &block)
    return super unless equal?(Date) && options.empty?
    return super if args.size > 2 && !args[2].is_a?(Integer)
    civil(*args)
  end

  def place(jd, seconds, fraction, offset, start)
    @jd, @df, @sf, @of, @sg = jd, seconds, fraction, offset, start
  end
  private :place

  def initialize_copy(other)
    place(other.utc_jd, other.utc_seconds, other.sub_second, other.offset_seconds, other.reform)
    self
  end

  def utc_jd = @jd
  def utc_seconds = @df
  def sub_second = @sf
  def offset_seconds = @of
  def reform = @sg
  protected :utc_jd, :utc_seconds, :sub_second, :offset_seconds, :reform

  def jd = @of == 0 ? @jd : @jd + (@df + @of).div(86_400)
  def start = @sg.to_f
  def ajd = Rational(@jd * 2 - 1, 2) + Rational(@df, 86_400) + @sf.to_r / 86_400
  def amjd = ajd - Rational(4_800_001, 2)
  def mjd = jd - 2_400_001
  def ld = jd - 2_299_160
  def day_fraction
    return 0 if !is_a?(DateTime) && @df == 0 && @sf == 0

    Rational(local_seconds, 86_400) + @sf.to_r / 86_400
  end

  def local_seconds = (@df + @of) % 86_400
  private :local_seconds

  def civil_parts
    return @civil if @civil
    parts = Calendar.jd_to_civil(jd, @sg).freeze
    @civil = parts unless frozen?
    parts
  end
  private :civil_parts

  def year = civil_parts[0]
  def month = civil_parts[1]
  alias mon month
  def day = civil_parts[2]
  alias mday day
  def yday = Calendar.jd_to_ordinal(jd, @sg)[1]
  def wday = (jd + 1) % 7
  def cwyear = Calendar.jd_to_commercial(jd, @sg)[0]
  def cweek = Calendar.jd_to_commercial(jd, @sg)[1]
  def cwday = (wday + 6) % 7 + 1

  DAYNAMES.each_with_index { |name, index| define_method("#{name.downcase}?") { wday == index } }

  def hour = local_seconds / 3600
  def minute = local_seconds / 60 % 60
  alias min minute
  def second = local_seconds % 60
  alias sec second
  def zone_text = format("%s%02d:%02d", @of < 0 ? "-" : "+", @of.abs / 3600, @of.abs / 60 % 60)
  private :hour, :minute, :min, :second, :sec, :zone_text

  def julian? = jd < @sg
  def gregorian? = !julian?
  def leap? = julian? ? Date.julian_leap?(year) : Date.gregorian_leap?(year)
  def new_start(start = ITALY) = self.class.__send__(:from_utc, @jd, @df, @sf, @of, Calendar.start_of(start))
  def italy = new_start(ITALY)
  def england = new_start(ENGLAND)
  def julian = new_start(JULIAN)
  def gregorian = new_start(GREGORIAN)

  def +(other)
    case other
    when Integer then self.class.__send__(:from_utc, @jd + other, @df, @sf, @of, @sg)
    when Float then add_float(other)
    when Numeric then add_seconds(other.to_r * 86_400)
    else raise TypeError, "expected numeric"
    end
  end

  # Day, second and nanosecond are taken from a Float one after the other.
  def add_float(days)
    rest = days.abs
    whole = rest.to_i
    rest = (rest - whole) * 86_400
    seconds = rest.to_i
    nanoseconds = ((rest - seconds) * 1_000_000_000).round
    seconds += whole * 86_400 + Rational(nanoseconds, 1_000_000_000)
    add_seconds(days < 0 ? -seconds : seconds)
  end

  def add_seconds(seconds)
    total = @df + @sf + seconds
    whole = total.floor
    over = total - whole
    days, rest = whole.divmod(86_400)
    self.class.__send__(:from_utc, @jd + days, rest, over == 0 ? 0 : over, @of, @sg)
  end
  private :add_float, :add_seconds

  def -(other)
    case other
    when Date
      days = @jd - other.utc_jd
      return Rational(days, 1) if @df == other.utc_seconds && @sf == other.sub_second
      Rational(days, 1) + Rational(@df - other.utc_seconds, 86_400) + (@sf - other.sub_second).to_r / 86_400
    when Numeric then self + -other
    else raise TypeError, "expected numeric"
    end
  end

  def >>(months)
    raise TypeError, "#{months.is_a?(Symbol) || [nil, true, false].include?(months) ? months.inspect : months.class} can't be coerced into Integer" unless months.is_a?(Numeric)
    total = year * 12 + (month - 1) + months.floor
    y, m = total.div(12), total % 12 + 1
    d = day
    d -= 1 until (found = Calendar.exact(y, m, d, @sg)) || d < 1
    raise Error, "invalid date" unless found
    self + (found - jd)
  end
  def <<(months)
    raise TypeError, "expected numeric" unless Numeric === months
    self >> -months
  end

  def next_day(count = 1) = self + count
  def prev_day(count = 1) = self - count
  def next_month(count = 1) = self >> count
  def prev_month(count = 1) = self << count
  def next_year(count = 1) = self >> count * 12
  def prev_year(count = 1) = self << count * 12
  def next = next_day
  alias succ next

  def <=>(other)
    case other
    when Date
      order = @jd <=> other.utc_jd
      order = @df <=> other.utc_seconds if order == 0
      order == 0 ? @sf <=> other.sub_second : order
    when Numeric then ajd <=> other
    end
  end

  def ==(other)
    order = self <=> other
    order.nil? ? false : order == 0
  end

  def ===(other)
    case other
    when Date then jd == other.jd
    when Numeric then jd == other.floor
    else nil
    end
  end

  def eql?(other) = other.is_a?(Date) && self == other
  def hash = [@jd, @df, @sf].hash

  def step(limit, by = (only = true; 1))
    return only ? to_enum(:step, limit) : to_enum(:step, limit, by) unless block_given?
    date = self
    order = by <=> 0
    raise ArgumentError, "comparison of #{by.class} with 0 failed" if order.nil?
    case order <=> 0
    when 1
      while date <= limit
        yield date
        date += by
      end
    when -1
      while date >= limit
        yield date
        date += by
      end
    else
      loop { yield date }
    end
    self
  end

  def upto(max, &block) = block ? step(max, 1, &block) : to_enum(:upto, max)
  def downto(min, &block) = block ? step(min, -1, &block) : to_enum(:downto, min)

  def strftime(format = "%F") = formatted(format)

  # What a program that redefines `strftime` or `to_s` does not change.
  def formatted(format)
    format = String.try_convert(format) || raise(TypeError, "no implicit conversion of #{[nil, true, false].include?(format) ? format.inspect : format.class} into String")
    Date.__strftime(format, year, month, day, hour, minute, second, (@sf * 1_000_000_000).floor, yday, wday, @of, zone_text, seconds_for(format))
  end
  private :formatted

  # Seconds since 1970; of days that are too far for it only where the format asks.
  def seconds_for(format)
    seconds = (@jd - UNIX_EPOCH_JD) * 86_400 + @df
    seconds.bit_length < 53 || format.match?(/%[^%A-Za-z]*[sQ]/) ? seconds : 0
  end
  private :seconds_for

  def year_text(width = 4)
    y = year
    y < 0 ? format("-%0#{width}d", -y) : format("%0#{width}d", y)
  end
  private :year_text

  def date_text = "#{year_text}-#{format("%02d-%02d", month, day)}"
  private :date_text
  def to_s = date_text
  def inspect = "#<#{self.class}: #{self} ((#{@jd}j,#{@df}s,#{nanoseconds}n),+#{@of}s,#{@sg.is_a?(Float) ? (@sg > 0 ? "Inf" : "-Inf") : @sg}j)>".sub(",+-", ",-")
  def nanoseconds
    count = @sf * 1_000_000_000
    count == count.floor ? count.floor : count.inspect
  end
  private :nanoseconds
  def iso8601 = formatted("%F")
  alias xmlschema iso8601
  def rfc3339 = formatted("%FT%T%:z")
  def rfc2822 = formatted("%a, %-d %b %Y %T %z")
  alias rfc822 rfc2822
  def httpdate = self.class.__send__(:from_utc, @jd, @df, @sf, 0, @sg).__send__(:formatted, "%a, %d %b %Y %T GMT")
  def asctime = formatted("%a %b %e %H:%M:%S %Y")
  alias ctime asctime
  def jisx0301 = formatted(jis_format)

  def jis_format
    era = [[2_458_605, "R", 2018], [2_447_535, "H", 1988], [2_424_875, "S", 1925], [2_419_614, "T", 1911], [2_405_160, "M", 1867]].find { |first,| jd >= first }
    era ? "#{era[1]}#{format("%02d", year - era[2])}.%m.%d" : "%F"
  end
  private :jis_format

  def to_date = instance_of?(Date) ? self : Date.__send__(:from_local, jd, 0, 0, 0, @sg)
  def to_datetime = DateTime.__send__(:from_local, jd, 0, 0, 0, @sg)
  def to_time
    at = julian? ? new_start(GREGORIAN) : self
    Time.local(at.year, at.month, at.day)
  end

  # The days by which MRI divides days that are far away: 584,400 years, over which both calendars and the weekdays repeat.
  PERIOD = 213_447_717
  private_constant :PERIOD

  def marshal_dump
    far, day = @jd.divmod(PERIOD)
    nanoseconds = @sf * 1_000_000_000
    nanoseconds = nanoseconds.to_i if nanoseconds.to_i == nanoseconds
    [far, day, @df, nanoseconds, @of, @sg.to_f]
  end

  # Also what Ruby 1.9.2 dumped: the astronomical Julian day, the offset in days, the start.
  def marshal_load(parts)
    raise FrozenError.new("can't modify frozen #{self.class}: #{inspect}", receiver: self) if frozen?
    raise TypeError, "expected an array" unless parts.is_a?(Array)
    case parts.size
    when 2, 3
      ajd, offset, start = parts
      if parts.size == 2
        start = offset ? GREGORIAN : JULIAN unless (start = offset).is_a?(Numeric)
        ajd, offset = ajd - Rational(1, 2), 0
      end
      whole = ajd + Rational(1, 2)
      seconds = (whole - whole.floor) * 86_400
      place(whole.floor, seconds.floor, seconds - seconds.floor, (offset * 86_400).to_i, restored_start(start))
    when 6
      far, day, seconds, nanoseconds, offset, start = parts
      place(far * PERIOD + day, seconds, nanoseconds == 0 ? 0 : Rational(nanoseconds, 1_000_000_000), offset, restored_start(start))
    else raise TypeError, "invalid size"
    end
  end

  def restored_start(start)
    start = start.to_f
    start.infinite? ? start : start.to_i
  end
  private :restored_start
end

class DateTime < Date
  class << self
    def civil(year = -4712, month = 1, day = 1, hour = 0, minute = 0, second = 0, offset = 0, start = ITALY)
      Calendar.number(year, "year")
      month = Calendar.month(month)
      day, over = Calendar.split(day, "day")
      assemble(hour, minute, second, offset, start, over) { |from| Calendar.valid_civil(year.floor, month, day, from) }
    end
    alias new civil

    def jd(jd = 0, hour = 0, minute = 0, second = 0, offset = 0, start = ITALY)
      Calendar.number(jd, "jd")
      whole = jd.floor
      assemble(hour, minute, second, offset, start, whole == jd ? 0 : jd - whole) { whole }
    end

    def ordinal(year = -4712, yday = 1, hour = 0, minute = 0, second = 0, offset = 0, start = ITALY)
      Calendar.number(year, "year")
      yday, over = Calendar.split(yday, "yday")
      assemble(hour, minute, second, offset, start, over) { |from| Calendar.valid_ordinal(year.floor, yday, from) }
    end

    def commercial(cwyear = -4712, cweek = 1, cwday = 1, hour = 0, minute = 0, second = 0, offset = 0, start = ITALY)
      Calendar.number(cwyear, "year")
      cweek = Calendar.int(Calendar.number(cweek, "cweek"))
      cwday, over = Calendar.split(cwday, "cwday")
      assemble(hour, minute, second, offset, start, over) { |from| Calendar.valid_commercial(cwyear.floor, cweek, cwday, from) }
    end

    def now(start = ITALY) = from_time(Time.now, Calendar.start_of(start))
    undef_method :today

    def from_time(time, start = ITALY)
      jd = Calendar.civil_to_jd(time.year, time.month, time.day, start)
      from_local(jd, time.hour * 3600 + time.min * 60 + [time.sec, 59].min, time.subsec == 0 ? 0 : time.subsec.to_r, time.utc_offset, start)
    end
    private :from_time

    private

    def assemble(hour, minute, second, offset, start, over)
      start = Calendar.start_of(start)
      hour, over_hour = Calendar.split(hour, "hour")
      minute, over_minute = Calendar.split(minute, "minute")
      second, fraction = Calendar.split(second, "second")
      if (over != 0 && [hour, minute, second].any? { |each| each != 0 }) || (over_hour != 0 && (minute != 0 || second != 0)) || (over_minute != 0 && second != 0)
        raise ArgumentError, "invalid fraction"
      end
      offset = Calendar.offset_of(offset)
      jd = yield(start) or raise Error, "invalid date"
      seconds = Calendar.seconds_of(hour, minute, second) or raise Error, "invalid date"
      made = from_local(jd, seconds, Calendar.fraction(fraction), offset, start)
      extra = over + over_hour.quo(24) + over_minute.quo(1440)
      extra == 0 ? made : made + extra
    end
  end

  public :hour, :minute, :min, :second, :sec

  def sec_fraction = @sf.to_r
  alias second_fraction sec_fraction
  def offset = Rational(@of, 86_400)
  def zone = zone_text
  def new_offset(offset = 0) = self.class.__send__(:from_utc, @jd, @df, @sf, Calendar.offset_of(offset), @sg)

  def initialize(*) = nil

  def to_s = "#{date_text}T#{format("%02d:%02d:%02d", hour, minute, second)}#{zone_text}"
  def strftime(format = "%FT%T%:z") = formatted(format)

  def iso8601(digits = 0) = formatted("%FT%T#{fraction_format(digits)}%:z")
  alias xmlschema iso8601
  alias rfc3339 iso8601
  def jisx0301(digits = 0) = formatted("#{jis_format}T%T#{fraction_format(digits)}%:z")

  def fraction_format(digits)
    unless digits.respond_to?(:to_int)
      raise TypeError, "no implicit conversion from nil to integer" if digits.nil?
      raise TypeError, "no implicit conversion of #{[true, false].include?(digits) ? digits : digits.class} into Integer"
    end
    digits = digits.to_int
    raise RangeError, "bignum too big to convert into `long'" if digits.bit_length > 63
    digits < 1 ? "" : ".%#{digits}N"
  end
  private :fraction_format

  def to_date = Date.__send__(:from_local, jd, 0, 0, 0, @sg)
  def to_datetime = self
  def to_time
    Time.new(year, month, day, hour, minute, second + sec_fraction, @of)
  end
end

class Time
  def to_time = self
  def to_date = Date.__send__(:from_local, Date.civil(year, month, day, Date::GREGORIAN).jd, 0, 0, 0, Date::ITALY)
  def to_datetime = DateTime.__send__(:from_time, self)
end

require "date/parse"
