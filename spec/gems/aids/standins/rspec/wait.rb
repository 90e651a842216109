# Matchers for what becomes true after a while.
module RSpec
  module Wait
    Handle = Struct.new(:block) do
      def to(matcher)
        deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 10
        until matcher.matches?(block.call)
          raise "waited in vain" if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline
          sleep 0.01
        end
      end
    end
    def wait_for(value = nil, &block) = Handle.new(block || -> { value })
    def wait(*) = self
  end
end
RSpec.configure { |config| config.include RSpec::Wait }
