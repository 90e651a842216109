module Open3
  class << self
    def capture3(*command, stdin_data: "", binmode: false, **options)
      popen3(*command, **options) do |input, output, error, thread|
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

    def popen3(*command, **options, &block)
      error_reader, error_writer = IO.pipe
      start(command, options.merge(err: error_writer), [error_reader], [error_writer], &block)
    end

    def popen2(*command, **options, &block) = start(command, options, [], [], &block)
    def popen2e(*command, **options, &block) = start(command, options.merge(err: [:child, :out]), [], [], &block)

    private

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
