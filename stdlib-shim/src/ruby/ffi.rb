# The part of the ffi gem that cookbooks use: functions of the C library that have an equivalent in Ruby. No C code is loaded, so any other
# function can be attached (a library file must load), and calling it is an error that names it: a LoadError, for which programs look that can do without.
module FFI
  class NotFoundError < LoadError; end
  class NullPointerError < RuntimeError; end

  # An address: null, or that of the fields of a struct that a function gave.
  class Pointer
    NULL_ADDRESS = 0
    attr_reader :fields

    def initialize(fields = nil) = @fields = fields
    def null? = @fields.nil?
    def address = null? ? NULL_ADDRESS : object_id
    def ==(other) = other.nil? ? null? : super
    NULL = new
  end

  # The machine, as libraries ask for it before they choose a file to load.
  module Platform
    require "rbconfig"
    OS = "linux"
    ARCH = CPU = RbConfig::CONFIG["host_cpu"].freeze
    NAME = "#{ARCH}-#{OS}"
    IS_GNU = true
    IS_LINUX = true
    IS_MAC = IS_BSD = IS_SOLARIS = IS_WINDOWS = false
    LIBPREFIX = "lib"
    LIBSUFFIX = "so"
    LIBC = "libc.so.6"
    GNU_LIBC = LIBC
    LITTLE_ENDIAN = 1234
    BIG_ENDIAN = 4321
    BYTE_ORDER = [1].pack("S") == [1].pack("v") ? LITTLE_ENDIAN : BIG_ENDIAN
    ADDRESS_SIZE = LONG_SIZE = [0].pack("j").bytesize * 8

    def self.is_os(os) = os == OS
    def self.mac? = IS_MAC
    def self.bsd? = IS_BSD
    def self.windows? = IS_WINDOWS
    def self.solaris? = IS_SOLARIS
    def self.unix? = true
  end

  # A struct by its layout; its values are those of the struct that a function gave, in the same order.
  class Struct
    class << self
      def layout(*spec)
        @members = spec.first.is_a?(Hash) ? spec.first.keys : spec.grep(Symbol).each_slice(2).map(&:first) unless spec.empty?
        self
      end

      def members = @members || (superclass.respond_to?(:members) ? superclass.members : [])
      def by_value = self
      def by_ref(*) = self
      alias val by_value
      alias ptr by_ref
    end

    attr_reader :pointer
    alias to_ptr pointer

    def initialize(pointer = nil)
      @pointer = pointer || raise(NotFoundError, "FFI::Struct.new: rchef allocates no C memory; structs come from functions such as getpwnam")
    end

    def null? = @pointer.null?
    def members = self.class.members
    def values = members.map { |name| self[name] }

    def [](name)
      raise NullPointerError, "invalid memory read at address=0x0" if null?

      @pointer.fields.fetch(members.index(name) || raise(ArgumentError, "No such field '#{name}'"))
    end
  end

  class Union < Struct; end
  class ManagedStruct < Struct; end
  class AutoPointer < Pointer; end

  class MemoryPointer < Pointer
    def initialize(*) = raise(NotFoundError, "#{self.class}: rchef allocates no C memory")
    def self.from_string(*) = new
  end

  class Buffer < MemoryPointer; end

  # A function pointer for C.
  class Function < Pointer
    def initialize(*) = raise(NotFoundError, "FFI::Function.new: rchef calls no C functions by address")
  end

  # Functions of the C library, by name.
  FUNCTIONS = {
    setlocale: ->(_category, locale) { [nil, "", "C", "POSIX"].include?(locale) ? "C" : (locale if locale.match?(/\AC\.(?:UTF-8|utf8)\z/)) },
    getpid: -> { Process.pid },
    getppid: -> { Process.ppid },
    getuid: -> { Process.uid },
    geteuid: -> { Process.euid },
    getgid: -> { Process.gid },
    getegid: -> { Process.egid },
    getpwnam: ->(name) { FFI.entry(:passwd) { Etc.getpwnam(name) } },
    getpwuid: ->(id) { FFI.entry(:passwd) { Etc.getpwuid(id) } },
    getgrnam: ->(name) { FFI.entry(:group) { Etc.getgrnam(name) } },
    getgrgid: ->(id) { FFI.entry(:group) { Etc.getgrgid(id) } },
    strerror: ->(number) { SystemCallError.new(number).message },
    getenv: ->(name) { ENV[name] },
    umask: ->(mask) { File.umask(mask) },
    isatty: ->(number) { IO.for_fd(number, autoclose: false).tty? ? 1 : 0 }
  }.freeze
  private_constant :FUNCTIONS

  def self.function(name) = FUNCTIONS[name]

  # The fields of a user or group as C's structs have them; a null pointer where there is none.
  def self.entry(kind)
    require "etc"
    found = yield
    Pointer.new(kind == :passwd ? [found.name, found.passwd, found.uid, found.gid, found.gecos, found.dir, found.shell] : [found.name, found.passwd, found.gid])
  rescue ArgumentError
    Pointer::NULL
  end

  # What a module extends itself with to call C.
  module Library
    LIBC = Platform::LIBC
    CURRENT_PROCESS = Object.new.freeze

    # A name can be that of a library whose functions are there in Ruby; a path is a file of C code, for which most callers have a substitute.
    def ffi_lib(*names)
      names.flatten!
      path = names.find { |name| name.is_a?(String) && name.include?("/") }
      raise LoadError, "Could not open library '#{path}': rchef loads no C libraries" if path && names.grep(String).all? { |name| name.include?("/") }

      @ffi_libs = names
    end

    def ffi_libraries = @ffi_libs || []
    def ffi_lib_flags(*) = nil
    def ffi_convention(convention = :default) = convention
    def typedef(*) = nil
    def callback(*) = nil
    def enum(*) = nil
    def bitmask(*) = nil

    # `attach_function :name, [:c_name,] parameters, result, options`
    def attach_function(name, *rest)
      c_name = rest.first.is_a?(Array) ? name.to_sym : rest.shift.to_sym
      result = rest[1]
      body = FFI.function(c_name)
      define_singleton_method(name) do |*args|
        raise NotFoundError, "#{self}.#{name}: the C function #{c_name} is not there: rchef loads no C libraries, and has only #{FFI.names} in Ruby" unless body

        given = body.call(*args)
        result.is_a?(Class) && result <= Struct && given.is_a?(Pointer) ? result.new(given) : given
      end
    end

    def attach_variable(name, *) = raise(NotFoundError, "attach_variable #{name}: rchef loads no C libraries")
  end

  def self.names = FUNCTIONS.keys.join(", ")
end
