$expect_verbose = false

class IO
  # Reads until the pattern is there or so many seconds have passed: what was read and the groups, else nil.
  def expect(pattern, timeout = 9999999)
    read = +""
    pattern = Regexp.new(Regexp.quote(pattern)) unless pattern.is_a?(Regexp)
    @unused ||= +""
    result = nil
    loop do
      if @unused.empty?
        break if !IO.select([self], nil, nil, timeout) || eof?
        char = readpartial(1)
      else
        char = @unused.slice!(0, 1)
      end
      read << char
      ($stdout.print(char); $stdout.flush) if $expect_verbose
      if (match = pattern.match(read))
        result = [read, *match.captures]
        break
      end
    end
    @unused = read.dup if result.nil?
    block_given? ? (yield(result); nil) : result
  end
end
