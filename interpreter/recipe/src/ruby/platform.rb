class Chef
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
      def self.instance = @instance ||= new

      def initialize
        super
        @lists = {}
      end

      def get_priority_array(_node, name) = @lists[name.to_sym] || []
      alias list get_priority_array

      def set_priority_array(name, priority, *, **)
        @lists[name.to_sym] = Array(priority)
      end
      alias priority set_priority_array
    end
    class ProviderPriorityMap < PriorityMap; end
    class ResourcePriorityMap < PriorityMap; end
  end

  class HandlerMap
    def initialize(&look_up) = @look_up = look_up
    def get(_node, name, **) = @look_up.call(name)
    def list(node, name, **) = [get(node, name)].compact
    def set(name, klass, **filters) = klass.provides(name, **filters)
  end

  class << self
    def resource_handler_map = @resource_handler_map ||= HandlerMap.new { |name| Chef::ResourceResolver.resolve(name) }
    def provider_handler_map = @provider_handler_map ||= HandlerMap.new { |name| Chef::ProviderResolver.named(name) }
    def resource_priority_map = @resource_priority_map ||= Chef::Platform::ResourcePriorityMap.instance
    def provider_priority_map = @provider_priority_map ||= Chef::Platform::ProviderPriorityMap.instance

    # defines: set_resource_priority_map set_provider_priority_map set_resource_priority_array set_provider_priority_array
    %w{resource provider}.each do |kind|
      define_method(:"set_#{kind}_priority_map") { |map| instance_variable_set(:"@#{kind}_priority_map", map) }
      define_method(:"set_#{kind}_priority_array") { |name, list, **filters| public_send(:"#{kind}_priority_map").set_priority_array(name.to_sym, list, **filters) }
    end

    def get_resource_priority_array(name) = resource_priority_map.get_priority_array(node, name)
    def get_provider_priority_array(name) = provider_priority_map.get_priority_array(node, name)
  end
end
