class Chef
  # Rarely used methods of run contexts.
  class RunContext
    attr_accessor :rest, :rest_clean, :input_collection, :profile_collection, :waiver_collection, :runner
    attr_writer :reboot_info, :node, :events, :cookbook_collection

    def default_secret_service=(service)
      root_run_context.equal?(self) ? @default_secret_service = service : root_run_context.default_secret_service = service
    end

    def default_secret_config=(config)
      root_run_context.equal?(self) ? @default_secret_config = config : root_run_context.default_secret_config = config
    end

    def reboot_info = root_run_context.equal?(self) ? @reboot_info ||= {} : root_run_context.reboot_info
    def default_secret_service = root_run_context.equal?(self) ? @default_secret_service : root_run_context.default_secret_service
    def default_secret_config = root_run_context.equal?(self) ? @default_secret_config ||= {} : root_run_context.default_secret_config
    def reboot_requested? = reboot_info.size > 0

    def request_reboot(info)
      Chef::Log.info "Changing reboot status from #{reboot_info.inspect} to #{info.inspect}"
      root_run_context.reboot_info = info
    end

    def cancel_reboot
      Chef::Log.info "Changing reboot status from #{reboot_info.inspect} to {}"
      root_run_context.reboot_info = {}
    end

    def loaded_attributes_hash = loaded_attributes.to_h { |name| [name, true] }
    def loaded_recipes_hash = loaded_recipes.to_h { |name| [name, true] }
    def updated_resources = resource_collection.select(&:updated?)
    def transport_connection = nil
    def logger = Chef::Log
    def open_stream(name: nil, **options)
      stream = Chef::EventDispatch::EventsOutputStream.new(events, name: name, **options)
      return stream unless block_given?

      begin
        yield stream
      ensure
        stream.close
      end
    end
  end
end
