# Records what MRI makes of the cases in cases.rb: ruby record.rb > ../mri.txt
# P options kind pattern | E message | S mode kind start subject result
require_relative "cases"
Encoding.default_external = Encoding::UTF_8
$VERBOSE = nil

def esc(s)
  s.b.each_byte.map { |b|
    case b
    when 0x5c then "\\\\"
    when 0x20..0x7e then b.chr
    when 0x0a then "\\n"
    when 0x09 then "\\t"
    else "\\x%02X" % b
    end
  }.join
end

# Byte offsets of the groups.
def spans(m)
  (0...m.size).map { |i| m.begin(i) ? "#{m.byteoffset_of(i)}" : "-" }.join(" ")
end

class MatchData
  def byteoffset_of(i)
    s = string
    b = s[0, self.begin(i)].bytesize
    e = s[0, self.end(i)].bytesize
    "#{b},#{e}"
  end
end

def result(re, mode, subject, start)
  m = case mode
      when "m" then re.match(subject, start)
      when "r" then subject.rindex(re, start) && $~
      when "a" then Regexp.new("\\G(?:#{re.source})", re.options).match(subject, start)
      end
  m ? spans(m) : "N"
rescue ArgumentError, RegexpError, Encoding::CompatibilityError => e
  "X #{e.class}"
end

seen = {}
CASES.each do |pattern, opts, subjects|
  key = [pattern, opts]
  next if seen[key]
  seen[key] = true
  kind = pattern.encoding == Encoding::BINARY ? "b" : "u"
  puts "P\t#{opts}\t#{kind}\t#{esc(pattern)}"
  begin
    re = Regexp.new(pattern, opts)
  rescue RegexpError => e
    puts "E\t#{esc(e.message)}"
    next
  end
  puts "N\t#{esc(re.named_captures.map { |n, g| "#{n}=#{g.join(",")}" }.join(" "))}\t#{esc(re.inspect)}\t#{esc(re.to_s)}"
  subjects.each do |s|
    mode, subject, start = s.is_a?(Array) ? s : ["m", s, 0]
    r = result(re, mode, subject, start)
    next if r.start_with?("X")
    k = subject.ascii_only? ? "a" : subject.encoding == Encoding::BINARY ? "b" : "u"
    byte = subject[0, start].bytesize
    puts "S\t#{mode}\t#{k}\t#{byte}\t#{esc(subject)}\t#{r}"
  end
end
