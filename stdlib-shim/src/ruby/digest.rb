# Digest: what all digests share. A class of its own gives `update`, `reset` and `finish`; the hash functions are native.
require "digest/native"

module Digest
  VERSION = "3.1.0" unless const_defined?(:VERSION)

  # Classes that are not there yet come from libraries of their names.
  def self.const_missing(name)
    feature = %i(SHA2 SHA256 SHA384 SHA512).include?(name) ? "digest/sha2" : "digest/#{name.to_s.downcase}"
    begin
      require feature
    rescue LoadError
      raise LoadError, "library not found for class Digest::#{name} -- #{feature}", caller(1)
    end
    raise NameError, "uninitialized constant Digest::#{name}", caller(1) unless const_defined?(name, false)
    const_get(name)
  end

  module Instance
    %i(update reset block_length finish).each do |name|
      define_method(name) { |*| raise "#{self.class} does not implement #{name}()" }
    end
    alias << update
    private :finish

    def new = clone.reset

    def digest(*data)
      return clone.__send__(:finish) if data.empty?
      raise ArgumentError, "wrong number of arguments (given #{data.size}, expected 0..1)" if data.size > 1
      reset
      update(data[0])
      digest!
    end
    def digest!
      value = finish
      reset
      value
    end
    def hexdigest(*data) = Digest.hexencode(digest(*data))
    def hexdigest! = Digest.hexencode(digest!)
    def base64digest(data = nil) = [data ? digest(data) : digest].pack("m0")
    def base64digest! = [digest!].pack("m0")
    def to_s = hexdigest
    def inspect = "#<#{self.class}: #{hexdigest}>"

    def ==(other)
      return digest == other.digest if other.is_a?(Instance)
      text = String.try_convert(other)
      !text.nil? && to_s == text
    end

    def digest_length = digest.bytesize
    def length = digest_length
    alias size length

    def file(name)
      File.open(name, "rb") do |file|
        while (piece = file.read(65536))
          update(piece)
        end
      end
      self
    end
  end

  class Class
    def initialize; end

    def self.digest(*args)
      raise ArgumentError, "no data given" if args.empty?
      data, *rest = args
      # not `new`: what a program puts in its place is not asked
      object = allocate
      object.__send__(:initialize, *rest)
      object.digest(data)
    end
    def self.hexdigest(*args) = Digest.hexencode(digest(*args))
    def self.base64digest(data, *args) = [digest(data, *args)].pack("m0")
    def self.file(name, *args) = new(*args).file(name)
  end

  # The SHA-2 function of so many bits.
  class SHA2 < Class
    def initialize(bits = 256)
      @sha2 = case bits
      when 256 then SHA256.new
      when 384 then SHA384.new
      when 512 then SHA512.new
      else raise ArgumentError, "unsupported bit length: #{bits.inspect}"
      end
      @bitlen = bits
    end
    def initialize_copy(other) = @sha2 = other.instance_variable_get(:@sha2).clone

    def reset
      @sha2.reset
      self
    end
    def update(data)
      @sha2.update(data)
      self
    end
    alias << update
    def finish = @sha2.digest!
    private :finish
    def block_length = @sha2.block_length
    def digest_length = @sha2.digest_length
    def inspect = "#<#{self.class}:#{@bitlen} #{hexdigest}>"
  end
end

# The digest class of this name.
def Digest(name)
  const = name.to_sym
  Digest.const_get(const)
end
