# What can go wrong, each with the status that a command ends with.
module Bundler
  class BundlerError < StandardError
    class << self
      def all_errors = BundlerError.registered

      def status_code(code)
        taken, = all_errors.find { |_, known| known == code }
        define_method(:status_code) { code }
        raise ArgumentError, "Trying to register #{self} for status code #{code} but #{taken} is already registered" if taken
        all_errors[self] = code
      end

      protected

      def registered = @registered ||= {}
    end
  end

  # Those of which nothing is to be said but the number.
  {
    GemfileError: 4, InstallError: 5, GemNotFound: 7, InstallHookError: 8, GemfileNotFound: 10, GitError: 11, DeprecatedError: 12, PathError: 13, GemspecError: 14,
    InvalidOption: 15, ProductionError: 16, HTTPError: 17, RubyVersionMismatch: 18, SecurityError: 19, LockfileError: 20, CyclicDependencyError: 21, GemfileLockNotFound: 22,
    PluginError: 29, SudoNotPermittedError: 30, ThreadCreationError: 33, APIResponseMismatchError: 34, APIResponseInvalidDependenciesError: 35
  }.each { |name, code| const_set(name, Class.new(BundlerError)).status_code(code) }

  class GemfileEvalError < GemfileError; end
  class MarshalError < StandardError; end

  # Requirements that no choice of gems meets.
  class VersionConflict < BundlerError
    status_code(6)
    attr_reader :conflicts

    def initialize(conflicts, message = nil)
      @conflicts = conflicts
      super(message)
    end
  end

  # A file or folder that may not be read or written.
  class PermissionError < BundlerError
    status_code(23)
    ACTIONS = { read: "read from", write: "write to", executable: "execute", exec: "execute" }.freeze
    private_constant :ACTIONS

    def initialize(path, permission_type = :write)
      @path, @permission_type = path, permission_type
    end

    def action = ACTIONS.fetch(@permission_type, @permission_type.to_s)
    def parent_folder = File.dirname(@path)
    def permission_type
      return "#{@permission_type} permissions for that path" unless @permission_type == :create
      "executable permissions for all parent directories and write permissions for `#{parent_folder}`"
    end
    def message = "There was an error while trying to #{action} `#{@path}`. It is likely that you need to grant #{permission_type}."
  end

  class TemporaryResourceError < PermissionError
    status_code(26)
    def message = "There was an error while trying to #{action} `#{@path}`. Some resource was temporarily unavailable. It's suggested that you try" + "the operation again."
  end

  class VirtualProtocolError < BundlerError
    status_code(27)
    def message
      "There was an error relating to virtualization and file access. It is likely that you need to grant access to or mount some file system correctly."
    end
  end

  class OperationNotSupportedError < PermissionError
    status_code(28)
    def message = "Attempting to #{action} `#{@path}` is unsupported by your OS."
  end

  class NoSpaceOnDeviceError < PermissionError
    status_code(31)
    def message = "There was an error while trying to #{action} `#{@path}`. There was insufficient space remaining on the device."
  end

  # A gem's own file that fails while it is loaded.
  class GemRequireError < BundlerError
    status_code(24)
    attr_reader :orig_exception

    def initialize(error, text)
      @orig_exception = error
      trace = error.backtrace.join("\n")
      super("#{text}\nGem Load Error is: #{error.message}\nBacktrace for gem load error is:\n#{trace}\nBundler Error Backtrace:\n")
    end
  end

  class YamlSyntaxError < BundlerError
    status_code(25)
    attr_reader :orig_exception

    def initialize(error, text)
      @orig_exception = error
      super(text)
    end
  end

  class GenericSystemCallError < BundlerError
    status_code(32)
    attr_reader :underlying_error

    def initialize(error, text)
      @underlying_error = error
      super("#{text}\nThe underlying system error is #{error.class}: #{error}")
    end
  end

  class DirectoryRemovalError < BundlerError
    status_code(36)

    def initialize(error, text)
      trace = error.backtrace.map { |line| "  #{line}\n" }.join
      super("#{text}.\nThe underlying error was #{error.class}: #{error.message}, with backtrace:\n#{trace}\nBundler Error Backtrace:")
    end
  end
end
