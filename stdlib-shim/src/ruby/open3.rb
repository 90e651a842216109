module Open3
  class << self
    def capture3(*command, stdin_data: "", binmode: false, **options)
      popen3(*command, **options) do |input, output, error, thread|
        [input, output, error].each(&:binmode) if binmode
        reader = Thread.new { output.read }
        error_reader = Thread.new { error.read }
        begin
          input.write(stdin_data)
        rescue Errno::EPIPE
          nil
        end
        input.close
        [reader.value, error_reader.value, thread.value]
      end
    end

    def capture2(*command, stdin_data: "", binmode: false, **options)
      popen2(*command, **options) do |input, output, thread|
        [input, output].each(&:binmode) if binmode
        reader = Thread.new { output.read }
        begin
          input.write(stdin_data)
        rescue Errno::EPIPE
          nil
        end
        input.close
        [reader.value, thread.value]
      end
    end

    def capture2e(*command, stdin_data: "", binmode: false, **options)
      capture2(*command, stdin_data: stdin_data, err: [:child, :out], **options)
    end

    # Runs commands, each reading what the one before writes, and waits: their statuses.
    def pipeline(*commands, **options) = chain(commands, options, nil, nil) { |threads| return threads.map(&:value) }
    def pipeline_start(*commands, **options, &block) = chain(commands, options, nil, nil, &block)

    def pipeline_r(*commands, **options, &block)
      output, writer = IO.pipe
      chain(commands, options, nil, writer, output, &block)
    end
    def pipeline_w(*commands, **options, &block)
      reader, input = IO.pipe
      input.sync = true
      chain(commands, options, reader, nil, input, &block)
    end
    def pipeline_rw(*commands, **options, &block)
      reader, input = IO.pipe
      output, writer = IO.pipe
      input.sync = true
      chain(commands, options, reader, writer, input, output, &block)
    end

    def popen3(*command, **options, &block)
      error_reader, error_writer = IO.pipe
      start(command, options.merge(err: error_writer), [error_reader], [error_writer], &block)
    end

    def popen2(*command, **options, &block) = start(command, options, [], [], &block)
    def popen2e(*command, **options, &block) = start(command, options.merge(err: [:child, :out]), [], [], &block)

    private

    # Options of one command, as the last element of its list, go before those of all.
    def chain(commands, options, first, last, *ours)
      reader = first
      threads = commands.each_with_index.map do |command, index|
        command = Array(command)
        own = command.last.is_a?(Hash) ? command.last : {}
        command = command[0...-1] unless own.empty?
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

    def start(command, options, more, closing)
      child_input, input = IO.pipe
      output, child_output = IO.pipe
      input.sync = true
      pid = Process.spawn(*command, **options, in: child_input, out: child_output)
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
end
