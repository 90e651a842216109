module Open3
  VERSION = "0.1.1"
  class << self
    # Options come as keywords or as a Hash behind the command; those of `capture` are taken out of them.
    def capture3(*command)
      command, options = parted(command)
      data, binary = options.delete(:stdin_data), options.delete(:binmode)
      popen3(*command, options) do |input, output, error, thread|
        [input, output, error].each(&:binmode) if binary
        reader = Thread.new { output.read }
        error_reader = Thread.new { error.read }
        feed(input, data)
        [reader.value, error_reader.value, thread.value]
      end
    end
    def capture2(*command) = capture(:popen2, command)
    def capture2e(*command) = capture(:popen2e, command)

    # Runs commands, each reading what the one before writes, and waits: their statuses.
    def pipeline(*commands) = chain(commands, nil, nil) { |threads| return threads.map(&:value) }
    def pipeline_start(*commands, &block) = chain(commands, nil, nil, &block)

    def pipeline_r(*commands, &block)
      output, writer = IO.pipe
      chain(commands, nil, writer, output, &block)
    end
    def pipeline_w(*commands, &block)
      reader, input = IO.pipe
      input.sync = true
      chain(commands, reader, nil, input, &block)
    end
    def pipeline_rw(*commands, &block)
      reader, input = IO.pipe
      output, writer = IO.pipe
      input.sync = true
      chain(commands, reader, writer, input, output, &block)
    end

    def popen3(*command, &block)
      error_reader, error_writer = IO.pipe
      start(command, { err: error_writer }, [error_reader], [error_writer], &block)
    end
    def popen2(*command, &block) = start(command, {}, [], [], &block)
    def popen2e(*command, &block) = start(command, { err: [:child, :out] }, [], [], &block)

    private

    def parted(command) = command.last.is_a?(Hash) ? [command[0...-1], command.last.dup] : [command, {}]

    def capture(way, command)
      command, options = parted(command)
      data, binary = options.delete(:stdin_data), options.delete(:binmode)
      __send__(way, *command, options) do |input, output, thread|
        [input, output].each(&:binmode) if binary
        reader = Thread.new { output.read }
        feed(input, data)
        [reader.value, thread.value]
      end
    end

    def feed(input, data)
      if data.respond_to?(:readpartial) then IO.copy_stream(data, input)
      elsif data then input.write(data)
      end
    rescue Errno::EPIPE
      nil
    ensure
      input.close
    end

    # Options of one command, as the last element of its list, go before those of all.
    def chain(commands, first, last, *ours)
      commands, options = parted(commands)
      reader = first
      threads = commands.each_with_index.map do |command, index|
        command, own = parted(Array(command))
        final = index == commands.size - 1
        following, writer = final ? [nil, last] : IO.pipe
        plumbing = {}
        plumbing[:in] = reader if reader
        plumbing[:out] = writer if writer
        shared = options.reject { |name, _| (name == :in && index > 0) || (name == :out && !final) }
        pid = Process.spawn(*command, **shared, **plumbing, **own)
        [reader, writer].compact.each(&:close)
        reader = following
        Process.detach(pid)
      end
      return [*ours, threads] unless block_given?
      begin
        yield(*ours, threads)
      ensure
        ours.each { |io| io.close unless io.closed? }
        threads.each(&:join)
      end
    end

    def start(command, plumbing, more, closing)
      command, options = parted(command)
      child_input, input = IO.pipe
      output, child_output = IO.pipe
      input.sync = true
      pid = Process.spawn(*command, **options, **plumbing, in: child_input, out: child_output)
      thread = Process.detach(pid)
      ours = [input, output, *more]
      [child_input, child_output, *closing].each(&:close)
      return [*ours, thread] unless block_given?
      begin
        yield(*ours, thread)
      ensure
        ours.each { |io| io.close unless io.closed? }
        thread.join
      end
    end
  end

  # The functions are there for what includes the module, too; their helpers are not.
  singleton_methods(false).each do |name|
    define_method(name) { |*arguments, &block| Open3.public_send(name, *arguments, &block) }
    ruby2_keywords(name)
    private name
  end
end
