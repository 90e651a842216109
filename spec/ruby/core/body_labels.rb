module Outer
  class Inner
    module Deep
      puts caller_locations(0).map(&:label)
    end
    class << self
      puts caller(0).map { |line| line[/`.*'/] }
    end
  end
end
begin
  module Failing
    class Here; raise "x"; end
  end
rescue => e
  puts e.backtrace.map { |line| line[/`.*'/] }
end
