class Chef
  module Mixin
    class << self
      def deprecated_constants = @deprecated_constants ||= {}
      def deprecate_constant(name, replacement, message) = deprecated_constants[name] = { replacement: replacement, message: message }

      def const_missing(name)
        known = deprecated_constants[name] or return super
        Chef::Log.warn(known[:message])
        Chef::Log.warn("Called from: \n#{caller[0...3].map { |line| "\t#{line}" }.join("\n")}")
        known[:replacement]
      end
    end

    # A module that is included through another module also tracks the classes that include that one.
    module LazyModuleInclude
      def descendants = @descendants ||= []

      def included(target)
        super
        module_included = self
        infector = Module.new do
          define_method(:included) do |below|
            super(below)
            below.extend(infector)
            module_included.descendants.push(below)
          end
        end
        target.extend(infector)
        descendants.push(target)
      end

      def include(*modules)
        super
        modules.each { |added| descendants.each { |descendant| descendant.send(:include, added) } }
      end
    end

    module Deprecation
      class DeprecatedObjectProxyBase
        KEEPERS = %w{__id__ __send__ instance_eval == equal? initialize object_id}.freeze
        (instance_methods.map(&:to_s) - KEEPERS).each { |name| undef_method(name) }
      end

      class DeprecatedInstanceVariable < DeprecatedObjectProxyBase
        def initialize(target, ivar_name, level = nil)
          @target = target
          @ivar_name = ivar_name
          @level = level || :warn
        end

        def method_missing(name, *args, &block)
          log("Accessing #{@ivar_name} by the variable @#{@ivar_name} is deprecated. Support will be removed in a future release.")
          log("Please update your cookbooks to use #{@ivar_name} in place of @#{@ivar_name}. Accessed from:")
          ::Kernel.caller(1..4).each { |line| log(line) }
          @target.__send__(name, *args, &block)
        end

        def inspect = @target.inspect

        private

        def log(text) = ::Chef::Log.logger.public_send(@level, text)
      end

      def deprecated_ivar(object, name, level = nil) = DeprecatedInstanceVariable.new(object, name, level)

      def deprecated_attr(name, alternative)
        deprecated_attr_reader(name, alternative)
        deprecated_attr_writer(name, alternative)
      end

      def deprecated_attr_reader(name, alternative, _level = :warn)
        define_method(name) do
          Chef.deprecated(:internal_api, "#{self.class}.#{name} is deprecated. Support will be removed in a future release. #{alternative}")
          instance_variable_get("@#{name}")
        end
      end

      def deprecated_attr_writer(name, alternative, _level = :warn)
        define_method("#{name}=") do |value|
          Chef.deprecated(:internal_api, "Writing to #{self.class}.#{name} with #{name}= is deprecated. Support will be removed in a future release. #{alternative}")
          instance_variable_set("@#{name}", value)
        end
      end
    end

    # Keeps track of subclasses.
    module DescendantsTracker
      @below = {}

      class << self
        def direct_descendants(klass) = @below[klass] || []
        def descendants(klass) = direct_descendants(klass) + direct_descendants(klass).flat_map { |below| descendants(below) }
        def find_descendants_by_name(klass, name) = descendants(klass).find { |below| below.name == name }
        def store_inherited(klass, below) = (@below[klass] ||= []) << below
      end

      def inherited(below)
        DescendantsTracker.store_inherited(self, below)
        super
      end

      def direct_descendants = DescendantsTracker.direct_descendants(self)
      def descendants = DescendantsTracker.descendants(self)
      def find_descendants_by_name(name) = DescendantsTracker.find_descendants_by_name(self, name)
    end

    module Provides
      include DescendantsTracker

      def provides(*, **) = raise(NotImplementedError, :provides)
      def provides?(_node, _resource) = raise(NotImplementedError, :provides?)
      def provided_as(node) = node_map.list(node)
    end

    # Owner, group and mode of a resource's file.
    module Securable
      NUMERIC_MODE = lambda do |mode|
        mode = "0#{mode}" if mode.is_a?(String) && !mode.start_with?("0")
        Integer(mode).between?(0, 07777)
      end
      private_constant :NUMERIC_MODE

      def owner(arg = nil) = set_or_return(:owner, arg, regex: Chef::Config[:user_valid_regex])
      alias user owner
      def group(arg = nil) = set_or_return(:group, arg, regex: Chef::Config[:group_valid_regex])
      def mode(arg = nil) = set_or_return(:mode, arg, callbacks: { "not in valid numeric range" => NUMERIC_MODE })

      module WindowsMacros
        ALLOWED = %i{full_control modify read_execute read write}.freeze
        SCOPES = {
          permissions: { required: true }, principals: { required: true, kind_of: [String, Array] },
          applies_to_children: { equal_to: [true, false, :containers_only, :objects_only] },
          applies_to_self: { kind_of: [TrueClass, FalseClass] }, one_level_deep: { kind_of: [TrueClass, FalseClass] }
        }.freeze

        def rights_attribute(name)
          checks = WindowsMacros
          define_method(name) do |permissions = nil, principals = nil, scope = nil|
            rights = instance_variable_get(:"@#{name}")
            unless permissions.nil?
              input = { permissions: permissions, principals: principals, **(scope || {}) }
              validate(input, SCOPES)
              checks.check(input)
              rights = (rights || []) << input
            end
            set_or_return(name, rights, {})
          end
        end

        def self.check(input)
          Array(input[:permissions]).each do |permission|
            if permission.is_a?(Integer)
              raise ArgumentError, "permissions flags must be positive and <= 32 bits (#{permission})" unless permission.between?(0, 1 << 32)
            elsif !ALLOWED.include?(permission.to_sym)
              raise ArgumentError, "permissions property must be :full_control, :modify, :read_execute, :read, :write or an integer representing Windows permission flags"
            end
          end
          unless Array(input[:principals]).all?(String)
            raise ArgumentError, "principals property must be a string or array of strings representing usernames"
          end
          return unless input[:applies_to_children] == false

          raise ArgumentError, "'rights' property must specify either :applies_to_children or :applies_to_self." if input[:applies_to_self] == false
          raise ArgumentError, "'rights' property specified :one_level_deep without specifying :applies_to_children." if input[:one_level_deep]
        end
      end

      module WindowsSecurableAttributes
        def inherits(arg = nil) = set_or_return(:inherits, arg, kind_of: [TrueClass, FalseClass])
      end
    end

    module FileClass
      def file_class = ::File
    end

    # If a package's name is the path of an existing file, that is its source.
    module GetSourceFromPackage
      def initialize(new_resource, run_context)
        super
        name = new_resource.package_name
        return if name.is_a?(Array)

        new_resource.source(name) if new_resource.source.nil? && name.include?(::File::SEPARATOR) && ::File.exist?(name)
      end
    end

    module UserContext
      protected

      def with_user_context(*)
        raise Chef::Exceptions::UnsupportedPlatform, "User context impersonation is supported only on the Windows platform"
      end
    end

    module DefaultPaths
      def default_paths(env = ENV) = Chef::Mixin::ShellOut.default_paths(env)

      def enforce_default_paths(env = ENV)
        env["PATH"] = default_paths(env) if Chef::Config[:enforce_default_paths] || Chef::Config[:enforce_path_sanity]
      end
    end

    module PathSanity
      include DefaultPaths

      def enforce_path_sanity(env = ENV) = enforce_default_paths(env)
      def path_sanity(env = ENV) = enforce_default_paths(env)
    end

    # `subclass_directive :fast` defines a class method that turns the directive on, and `fast?`.
    module SubclassDirective
      def subclass_directive(name)
        define_singleton_method(name) { instance_variable_set(:"@#{name}", true) }
        define_singleton_method(:"#{name}?") { !!instance_variable_get(:"@#{name}") }
        define_method(:"#{name}?") { self.class.public_send(:"#{name}?") }
      end
    end

    # Lets a logger be used as an IO: `[time] WARN: text` becomes a call of `warn`.
    module Unformatter
      def write(message)
        found = message.match(/(\[.+?\] )?(\w+):(.*)$/)
        level = found && found[2].downcase.to_sym
        level && respond_to?(level, true) ? send(level, found[3].strip) : send(:info, message)
      end
    end

    module VersionedAPI
      def minimum_api_version(version = nil) = version ? @minimum_api_version = version : @minimum_api_version
    end

    module CreatePath
      def create_path(path)
        unless path.is_a?(String) || path.is_a?(Array)
          raise ArgumentError, "file_path must be a string or an array of strings"
        end

        full = File.expand_path(path.is_a?(Array) ? File.join(*path) : path)
        FileUtils.mkdir_p(full)
        full
      end
    end

    module FromFile
      attr_accessor :source_file

      def from_file(path) = instance_eval(source_of(path), path, 1)
      def class_from_file(path) = class_eval(source_of(path), path, 1)

      private

      def source_of(path)
        self.source_file = path
        raise IOError, "Cannot open or read #{path}!" unless File.file?(path) && File.readable?(path)

        File.read(path)
      end
    end

    module Uris
      def uri_scheme?(source) = !!source.to_s.match(%r{\A[a-z][a-z0-9+.-]*://}i)

      def as_uri(source)
        URI.parse(source)
      rescue URI::InvalidURIError
        Chef::Log.warn("#{source} was an invalid URI. Trying to escape invalid characters")
        URI.parse(URI::DEFAULT_PARSER.escape(source))
      end
    end

    # Ruby values as PowerShell literals.
    module PowershellTypeCoercions
      def translate_type(value)
        case value
        when true, false then "$#{value}"
        when Integer, Float then value.to_s
        when Hash then "@{#{value.map { |key, inner| "#{key}=#{translate_type(inner)}" }.join(";")}}"
        when Array then "@(#{value.map { |inner| translate_type(inner) }.join(",")})"
        else value.respond_to?(:to_psobject) ? "(#{value.to_psobject})" : safe_string(value.to_s)
        end
      end

      def type_coercion(value) = translate_type(value)
      def psobject_conversion(value) = (value.to_psobject if value.respond_to?(:to_psobject))

      private

      # Text with quotes or marks of PowerShell is given in base64.
      def safe_string(text)
        return "'#{text}'" unless text.match?(/['"`#]/)

        "([System.Text.Encoding]::UTF8.GetString([System.Convert]::FromBase64String('#{[text.encode("UTF-8")].pack("m0")}')))"
      end
    end

    module XMLEscape
      # Characters that XML does not allow become `*`; those of Windows code page 1252 become their Unicode equivalents.
      module PureRuby
        extend self

        CP1252 = {
          128 => 8364, 130 => 8218, 131 => 402, 132 => 8222, 133 => 8230, 134 => 8224, 135 => 8225, 136 => 710, 137 => 8240, 138 => 352,
          139 => 8249, 140 => 338, 142 => 381, 145 => 8216, 146 => 8217, 147 => 8220, 148 => 8221, 149 => 8226, 150 => 8211, 151 => 8212,
          152 => 732, 153 => 8482, 154 => 353, 155 => 8250, 156 => 339, 158 => 382, 159 => 376
        }.freeze
        PREDEFINED = { 38 => "&amp;", 60 => "&lt;", 62 => "&gt;", 34 => "&quot;" }.freeze
        VALID = [0x9, 0xA, 0xD, 0x20..0xD7FF, 0xE000..0xFFFD, 0x10000..0x10FFFF].freeze

        def xml_escape(text)
          codes = begin
            text.unpack("U*")
          rescue ArgumentError
            text.unpack("C*")
          end
          codes.map { |code| escaped(CP1252[code] || code) }.join
        end

        private

        def escaped(code)
          code = 42 unless VALID.any? { |allowed| allowed === code }
          PREDEFINED[code] || (code < 128 ? code.chr : "&##{code};")
        end
      end

      include PureRuby
      extend self
    end
  end
end
