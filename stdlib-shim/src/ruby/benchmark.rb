module Benchmark
  VERSION = "2002-04-25"
  BENCHMARK_VERSION = VERSION
  CAPTION = "      user     system      total        real\n"
  FORMAT = "%10.6u %10.6y %10.6t %10.6r\n"

  # Times of a piece of code: of this process, of its children, and on the clock.
  class Tms
    CAPTION = Benchmark::CAPTION
    FORMAT = Benchmark::FORMAT
    attr_reader :utime, :stime, :cutime, :cstime, :real, :total, :label

    def initialize(utime = 0.0, stime = 0.0, cutime = 0.0, cstime = 0.0, real = 0.0, label = nil)
      @utime, @stime, @cutime, @cstime, @real, @label = utime, stime, cutime, cstime, real, label.to_s
      @total = utime + stime + cutime + cstime
    end

    def add(&block) = self + Benchmark.measure(&block)

    def add!(&block)
      sum = add(&block)
      @utime, @stime, @cutime, @cstime, @real = sum.utime, sum.stime, sum.cutime, sum.cstime, sum.real
      self
    end

    def +(other) = memberwise(:+, other)
    def -(other) = memberwise(:-, other)
    def *(other) = memberwise(:*, other)
    def /(other) = memberwise(:/, other)

    def format(format = nil, *args)
      text = (format || FORMAT).gsub(/(%[-+.\d]*)n/) { "#{$1}s" % label }
      { "u" => utime, "y" => stime, "U" => cutime, "Y" => cstime, "t" => total }.each do |letter, value|
        text = text.gsub(/(%[-+.\d]*)#{letter}/) { "#{$1}f" % value }
      end
      text = text.gsub(/(%[-+.\d]*)r/) { "(#{"#{$1}f" % real})" }
      format ? text % args : text
    end

    def to_s = format
    def to_a = [label, utime, stime, cutime, cstime, real]
    def to_h = { label: label, utime: utime, stime: stime, cutime: cutime, cstime: cstime, real: real }

    protected

    def memberwise(operator, other)
      mine = [utime, stime, cutime, cstime, real]
      theirs = other.is_a?(Tms) ? [other.utime, other.stime, other.cutime, other.cstime, other.real] : [other] * 5
      Tms.new(*mine.zip(theirs).map { |a, b| a.__send__(operator, b) })
    end
  end

  class Job
    attr_reader :list, :width

    def initialize(width)
      @width = width
      @list = []
    end

    def item(label = "", &block)
      raise ArgumentError, "no block" unless block
      @width = [@width, label.to_s.length].max
      @list << [label.to_s, block]
      self
    end
    alias report item
  end

  class Report
    attr_reader :list, :width, :format

    def initialize(width = 0, format = nil)
      @width, @format, @list = width, format, []
    end

    def item(label = "", *format, &block)
      print label.to_s.ljust(@width)
      @list << (times = Benchmark.measure(label, &block))
      print times.format(@format, *format)
      times
    end
    alias report item
  end

  module_function

  def benchmark(caption = "", label_width = nil, format = nil, *labels)
    raise ArgumentError, "no block" unless block_given?
    label_width = (label_width || 0) + 1
    format ||= FORMAT
    print " " * label_width + caption unless caption.empty?
    report = Report.new(label_width, format)
    results = yield(report)
    if results.is_a?(Array) && results.all?(Tms)
      results.each { |times| print((labels.shift || times.label || "").ljust(label_width), times.format(format)) }
    end
    report.list
  end

  def bm(label_width = 0, *labels, &block) = benchmark(CAPTION, label_width, FORMAT, *labels, &block)

  def bmbm(width = 0)
    job = Job.new(width)
    yield(job)
    width = job.width + 1
    puts "Rehearsal ".ljust(width + CAPTION.length, "-")
    sum = job.list.inject(Tms.new) do |total, (label, block)|
      print label.ljust(width)
      times = Benchmark.measure(&block)
      print times.format
      total + times
    end
    puts " #{sum.format("total: %tsec")}".rjust(width + CAPTION.length, "-"), ""
    print " " * width + CAPTION
    job.list.map do |label, block|
      GC.start
      print label.ljust(width)
      times = Benchmark.measure(label, &block)
      print times.format
      times
    end
  end

  def measure(label = "")
    before = Process.times
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
    after = Process.times
    finish = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    Tms.new(after.utime - before.utime, after.stime - before.stime, after.cutime - before.cutime, after.cstime - before.cstime, finish - start, label)
  end

  def realtime
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    yield
    Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
  end
end
