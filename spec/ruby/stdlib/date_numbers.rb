# What Date, DateTime and Time take as numbers, how their formats and readers treat odd parts.
require "date"
require "time"
$VERBOSE = nil

def show(source)
  answer = begin
    eval(source).inspect
  rescue StandardError => error
    "#{error.class}: #{error.message.lines.first}"
  end
  puts "#{source} => #{answer}"
end

["1.5", "3r/2", "2.25", "31", "0", "-1", "2**40", "2**70", "Float::INFINITY", "nil", "'1'"].each do |number|
  %w[Date.new(2020,1,%s) Date.civil(2020,1,%s) Date.jd(2458850,%s) Date.new(2020,%s) Date.ordinal(2020,%s) Date.commercial(2020,%s) DateTime.new(2020,1,%s) DateTime.new(2020,1,2,%s) DateTime.new(2020,1,2,3,4,%s) Date.new(2020,1,2,%s) Date.valid_civil?(2020,1,2,%s) Date.leap?(%s)].each { |source| show format(source, number) }
end
["3.5", "0.3", "-0.7", "1r/7", "1.0000001", "-1e-9"].each { |days| show "DateTime.new(2020, 1, 31, 23, 59, 59.9) + #{days}"; show "Date.new(2020, 1, 31) - #{days}" }
["Date.new(2020, 2, 29)", "DateTime.new(2021, 3, 4, 5, 6, 7.5r, '-03:30')", "Date.new(-1, 1, 1)"].each do |date|
  ["%", "%Y%", "%5", "%-", "%E%", "%E5Y", "%EOd", "%Q", "%_20Q", "%-Q", "%+", "%^+", "%40+", "%v", "%^v", "%-z", "%-:z", "%_10z", "%:::z", "%10N", "%!"].each { |format| show "#{date}.strftime(#{format.dump})" }
  %w[offset zone sec_fraction new_offset infinite? hour].each { |name| show "#{date}.#{name}" }
end
["2020-W01-4", "2020-002", "---02", "--01-02", "--0102T1020", "-01-02", "120-01", "10:20Z", "10:20:30Z", "102030+09", "2020002"].each { |text| show "Date._iso8601(#{text.dump})" }
["'20 Jan 2", "12July", "99Jan", "12345.31", "10201999.", "31.", "20 123 1999 10:20:30Z", "20200102 123456", "20200102[9:ab]", "20200102[-9]", "1102030.5"].each { |text| show "Date._parse(#{text.dump})" }
[["11-DEC-1987 566172925", "%v %s"], ["Monday 48 48", "%A %V %M"], ["03-19-Thu", "%g-%m-%a"]].each { |text, format| show "DateTime.strptime(#{text.dump}, #{format.dump})" }
["2021 366|%Y %j", "002|%j", "2020 5 3|%G %V %u", "2020 10 1|%Y %W %u", "Tuex|%a"].each { |both| text, format = both.split("|"); show "Time.strptime(#{text.dump}, #{format.dump}, Time.utc(2000, 1, 1)).utc" }
["Friday, 06-Apr-68 04:47:18 GMT", "Friday, 06-Apr-45 04:47:18 GMT", "Thu, 02 Jan 2020 03:04:05 GMT"].each { |text| show "Time.httpdate(#{text.dump})" }
%w[2000-01-00 2000-13-01 2000-16-01 2000-01-32].product(["", "T25:00:00", "T32:00:00", "T10:60:00Z", "T10:20:99Z"]).each { |day, time| show "Time.parse(#{(day + time).dump})" }
["2000,16", "2000,1,0", "2000,1,1,25", "2000,1,1,32", "2000,1,1,1,64", "2000,1,1,1,1,62", "2000,1,-1"].each { |parts| show "Time.utc(#{parts})" }
