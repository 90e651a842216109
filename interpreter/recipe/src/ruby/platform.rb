class Chef
  CHEF_ROOT = File.join(Gem::Specification.find_by_name("chef").full_gem_path, "lib")

  class Platform
    class << self
      def windows? = false
      def windows_nano_server? = false
      def supports_msi? = false
      def supports_powershell_execution_bypass?(_node = nil) = false
      def supports_dsc?(_node = nil) = false
      def supports_dsc_invoke_resource?(_node = nil) = false
      def dsc_refresh_mode_disabled?(_node = nil) = false
      def find_platform_and_version(node) = [node["platform"], node["platform_version"]]
    end

    class ServiceHelpers
      class << self
        def service_resource_providers
          services = ChefUtils::DSL::Service
          {
            debian: services.debianrcd?, invokercd: services.invokercd?, upstart: services.upstart?, insserv: services.insserv?,
            redhat: services.redhatrcd?, systemd: services.systemd?
          }.select { |_, found| found }.keys
        end

        def config_for_service(name)
          %i{initd upstart xinetd etc_rcd systemd}.select { |kind| ChefUtils.service_script_exist?(kind, name) }
        end
      end
    end

    # The reboot that a `reboot` resource requested.
    module Rebooter
      def self.reboot_if_needed!(node) = (Chef::Log.warn("Rebooting server as requested") if node.run_context.reboot_requested?)
    end

    class PriorityMap < Chef::NodeMap
      def priority(name, list, **filters) = set_priority_array(name.to_sym, list, **filters)
      def get_priority_array(node, name) = get(node, name)
      def set_priority_array(name, list, **filters, &block) = Array(list).tap { |classes| set(name, classes, **filters, &block) }
    end

    class ResourcePriorityMap < PriorityMap
      include Singleton
    end

    class ProviderPriorityMap < PriorityMap
      include Singleton

      SERVICES = {
        "arch" => %i{Systemd Arch}, "gentoo" => %i{Systemd Gentoo}, "debian" => %i{Systemd Upstart Insserv Debian Invokercd},
        "rpm_based" => %i{Systemd Insserv Redhat}
      }.freeze
      private_constant :SERVICES

      def initialize
        super
        SERVICES.each { |family, names| set_priority_array(:service, names.map { |name| Chef::Provider::Service.const_get(name) }, platform_family: family) }
      end
    end

    # Classes by DSL name. They are in the registry that the DSL asks; `resolver` reads it.
    module RegistryMap
      def list(node, name) = resolver.send(:handlers, node, name)
      def get(node, name) = list(node, name).first
      def set(name, klass, **filters, &block) = klass.provides(name, **filters, &block)
      def delete_class(klass) = resolver.send(:forget, klass).transform_values { |count| Array.new(count) { { klass: klass } } }
    end
    private_constant :RegistryMap

    class ProviderHandlerMap < Chef::NodeMap
      include Singleton
      include RegistryMap

      private

      def resolver = Chef::ProviderResolver
    end

    class ResourceHandlerMap < Chef::NodeMap
      include Singleton
      include RegistryMap

      private

      def resolver = Chef::ResourceResolver
    end
  end

  class << self
    def resource_handler_map = @resource_handler_map ||= Chef::Platform::ResourceHandlerMap.instance
    def provider_handler_map = @provider_handler_map ||= Chef::Platform::ProviderHandlerMap.instance
    def resource_priority_map = @resource_priority_map ||= Chef::Platform::ResourcePriorityMap.instance
    def provider_priority_map = @provider_priority_map ||= Chef::Platform::ProviderPriorityMap.instance

    # defines: set_resource_priority_map set_provider_priority_map set_resource_priority_array set_provider_priority_array
    %w{resource provider}.each do |kind|
      define_method(:"set_#{kind}_priority_map") { |map| instance_variable_set(:"@#{kind}_priority_map", map) }
      define_method(:"set_#{kind}_priority_array") { |name, list, **filters, &block| public_send(:"#{kind}_priority_map").set_priority_array(name.to_sym, list, **filters, &block).dup }
    end

    def get_resource_priority_array(name) = resource_priority_map.get_priority_array(node, name.to_sym)&.dup
    def get_provider_priority_array(name) = provider_priority_map.get_priority_array(node, name.to_sym)&.dup
  end
end
