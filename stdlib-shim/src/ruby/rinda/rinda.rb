# Tuples that processes share: a space of them, and templates that find them.
require "drb/drb"

module Rinda
  class RindaError < RuntimeError; end
  class InvalidHashTupleKey < RindaError; end
  class RequestCanceledError < ThreadError; end
  class RequestExpiredError < ThreadError; end

  # A list of values, or values by names that are Strings.
  class Tuple
    def initialize(array_or_hash)
      hash?(array_or_hash) ? init_with_hash(array_or_hash) : init_with_ary(array_or_hash)
    end

    def size = @tuple.size
    def [](key) = @tuple[key]
    def fetch(key) = @tuple.fetch(key)
    def each(&block)
      if @tuple.is_a?(Hash) then @tuple.each(&block)
      else @tuple.each_with_index { |value, key| block.call(key, value) }
      end
    end
    def value = @tuple

    private

    def hash?(array_or_hash) = array_or_hash.respond_to?(:keys)
    def init_with_ary(array)
      @tuple = Array.new(array.size)
      @tuple.size.times { |index| @tuple[index] = array[index] }
    end
    def init_with_hash(hash)
      @tuple = {}
      hash.each do |key, value|
        raise InvalidHashTupleKey unless key.is_a?(String)
        @tuple[key] = value
      end
    end
  end

  # What a tuple must be like: nil takes anything, other values are asked by `===`.
  class Template < Tuple
    def match(tuple)
      return false unless tuple.respond_to?(:size) && tuple.respond_to?(:fetch) && size == tuple.size
      each do |key, value|
        begin
          found = tuple.fetch(key)
        rescue StandardError
          return false
        end
        next if value.nil? || value == found || value === found
        return false
      end
      true
    end
    def ===(tuple) = match(tuple)
  end

  # Takes objects of other processes by their address and their id.
  class DRbObjectTemplate
    def initialize(uri = nil, ref = nil)
      @drb_uri = uri
      @drb_ref = ref
    end
    def ===(object)
      return true if super
      (@drb_uri.nil? || @drb_uri === object.__drburi) && (@drb_ref.nil? || @drb_ref === object.__drbref)
    rescue NoMethodError
      false
    end
  end

  # A space of another process. What is taken is handed over before it is gone there.
  class TupleSpaceProxy
    # Takes the value, wherever it comes from.
    class Port
      attr_reader :value

      def self.deliver
        port = new
        begin
          yield(port)
        ensure
          port.close
        end
        port.value
      end

      def initialize
        @open = true
        @value = nil
      end
      def close
        @open = false
      end
      def push(value)
        raise "port closed" unless @open
        @value = value
        nil
      end
      include DRb::DRbUndumped
    end
    private_constant :Port

    def initialize(ts)
      @ts = ts
    end

    def write(tuple, sec = nil) = @ts.write(tuple, sec)
    def take(tuple, sec = nil, &block) = Port.deliver { |port| @ts.move(DRb::DRbObject.new(port), tuple, sec, &block) }
    def read(tuple, sec = nil, &block) = @ts.read(tuple, sec, &block)
    def read_all(tuple) = @ts.read_all(tuple)
    def notify(event, tuple, sec = nil) = @ts.notify(event, tuple, sec)
  end

  # Lets a tuple live on for some seconds, as long as this process is there.
  class SimpleRenewer
    include DRb::DRbUndumped

    def initialize(sec = 180)
      @sec = sec
    end
    def renew = @sec
  end
end
