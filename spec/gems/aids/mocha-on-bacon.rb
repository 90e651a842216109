# A stand-in for the gem: Mocha's doubles in Bacon's examples, verified after each and taken away.
require "mocha/api"

module MochaOnBacon
  include Mocha::API

  # What Mocha counts as assertions.
  class Counted
    def increment = Bacon::Counter[:requirements] += 1
  end

  def it(description, &block)
    super(description) do
      mocha_setup
      begin
        instance_eval(&block)
        mocha_verify(Counted.new)
      rescue Mocha::ExpectationErrorFactory.exception_class => error
        raise Bacon::Error.new(:failed, error.message)
      ensure
        mocha_teardown
      end
    end
  end
end
Bacon::Context.prepend(MochaOnBacon)
