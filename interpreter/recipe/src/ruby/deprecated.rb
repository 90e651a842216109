class Chef
  module Deprecation
    # For modules of methods that are to go: calls of them are told of as deprecated.
    module Warnings
      def add_deprecation_warnings_for(names)
        names.each do |name|
          define_method(name) do |*args|
            removed_in = "#{ChefUtils::Dist::Infra::PRODUCT} #{Chef::VERSION.to_i.next}"
            Chef.deprecated(:internal_api, "Method '#{name}' of '#{self.class}' is deprecated. It will be removed in #{removed_in}. Please update your cookbooks accordingly.")
            super(*args)
          end
        end
      end
    end
  end

  # Deprecation messages: `Chef.deprecated(:chef_rest, …)` creates one.
  class Deprecated
    def self.create(type, message, location)
      const_get(Chef::Mixin::ConvertToClassName.convert_to_class_name(type.to_s)).new(message, location)
    end

    class Base
      BASE_URL = "https://docs.chef.io/deprecations_"

      attr_reader :message, :location

      class << self
        attr_reader :deprecation_id, :doc_page

        def deprecation_key = Chef::Mixin::ConvertToClassName.convert_to_snake_case(name, "Chef::Deprecated")

        def target(id, page = nil)
          @deprecation_id = id
          @doc_page = page || deprecation_key.to_s
        end
      end

      def initialize(message = nil, location = nil)
        @message = message
        @location = location
      end

      def link = "Please see #{url} for further details and information on how to correct this problem."
      def url = "#{BASE_URL}#{self.class.doc_page}/"
      def to_s = "Deprecation CHEF-#{self.class.deprecation_id} from #{location}\n\n  #{message}\n\n#{link}"

      # Whether the configuration, or a comment on the line, silences it.
      def silenced?
        wanted = Chef::Config[:silence_deprecation_warnings]
        return true if wanted == true

        Array(wanted || nil).any? { |spec| meant?(spec.is_a?(Integer) ? "CHEF-#{spec}" : spec.to_s) } || silenced_line?
      end

      private

      def meant?(spec)
        id = self.class.deprecation_id.to_s
        self.class.deprecation_key == spec || id == spec || "chef-#{id}" == spec.downcase || location.to_s.include?(spec)
      end

      def silenced_line?
        path, line = location.to_s.match(/\A(.*?):(\d+):in/)&.captures
        return false unless path && File.exist?(path)

        File.readlines(path)[line.to_i - 1].to_s.match?(/#.*chef:silence_deprecation($|[^:]|:#{self.class.deprecation_key})/)
      end
    end

    {
      InternalApi: 0, JsonAutoInflate: 1, ExitCode: 2, Attributes: 4, EasyInstall: 6, VerifyFile: 7, SupportsProperty: 8, ChefRest: 9,
      DnfPackageAllowDowngrade: 10, PropertyNameCollision: 11, LaunchdHashProperty: 12, ChefPlatformMethods: 13, RunCommand: 14,
      PackageMisc: 15, MultiresourceMatch: 16, UseInlineResources: 17, LocalListen: 18, NamespaceCollisions: 19, DeployResource: 21,
      ErlResource: 22, FreebsdPkgProvider: 23, ShellOut: 26, LocaleLcAll: 27, ChefSugar: 28, KnifeBootstrapApis: 29,
      ArchiveFileIntegerFileMode: 30, ResourceNameWithoutProvides: 31, AttributeBlacklistConfiguration: 32, UnifiedMode: 33,
      AttributeWhitelistConfiguration: 34, PolicyfileCompatMode: 35
    }.each do |name, number|
      const_set(name, Class.new(Base))
      const_get(name).target(number)
    end

    class CustomResource < Base
      target 5, "custom_resource_cleanups"
    end

    class Property < Base
      target 24

      def to_s = "Deprecated resource property used from #{location}\n\n  #{message}\n\nPlease consult the resource documentation for more information."
    end

    class Generic < Base
      def url = "https://docs.chef.io/chef_deprecations_client/"
      def to_s = "Deprecation from #{location}\n\n  #{message}\n\n#{link}"
    end
  end
end
