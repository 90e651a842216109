class Chef
  module DSL
    module Universal
      def render_json(hash) = "#{JSON.pretty_generate(hash)}\n"
      def render_yaml(hash) = hash.to_h.transform_keys(&:to_s).to_yaml.gsub(" :", " ")
      def render_toml(hash) = Chef::DSL::Toml.dump(hash)
      def parse_json(text) = JSON.parse(text)
      def parse_yaml(text) = YAML.load(text)
      def parse_toml(_text) = raise(NotImplementedError, "parse_toml: rchef reads no TOML")

      def parse_file(path)
        case File.extname(path)
        when ".json" then parse_json(File.read(path))
        when ".yml", ".yaml" then parse_yaml(File.read(path))
        when ".toml" then parse_toml(File.read(path))
        else raise "Do not know how to parse the file #{path}"
        end
      end

      def tagged?(*tags) = tags.all? { |tag| (node.tags || []).include?(tag) }

      # Whether the run or the system requires a reboot.
      def reboot_pending?
        return true if respond_to?(:node, true) && node && node.run_context.respond_to?(:reboot_requested?) && node.run_context.reboot_requested?
        return platform_family?("debian") && File.exist?("/var/run/reboot-required") unless ChefUtils.windows?

        registry_value_exists?('HKLM\SYSTEM\CurrentControlSet\Control\Session Manager', { name: "PendingFileRenameOperations" }) ||
          registry_key_exists?('HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\WindowsUpdate\Auto Update\RebootRequired') ||
          registry_key_exists?('HKLM\SOFTWARE\Microsoft\Windows\CurrentVersion\Component Based Servicing\RebootPending')
      end

      # defines: registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists? valid_windows_architecture?
      # defines: assert_windows_architecture! wow64_architecture_override_required? forced_32bit_override_required?
      # defines: is_i386_process_on_x86_64_windows? registry_get_values registry_get_subkeys node_windows_architecture wow64_directory
      %i{registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists? valid_windows_architecture? assert_windows_architecture! wow64_architecture_override_required?
         forced_32bit_override_required? is_i386_process_on_x86_64_windows?}.each { |name| define_method(name) { |*| false } }
      %i{registry_get_values registry_get_subkeys node_windows_architecture wow64_directory}.each { |name| define_method(name) { |*| nil } }
      def with_os_architecture(*) = yield

      def powershell_exec(*) = raise(NotImplementedError, "powershell_exec: this platform has no PowerShell")
      alias powershell_exec! powershell_exec
      def ps_credential(*) = raise(NotImplementedError, "ps_credential: this platform has no PowerShell")

      # defines: default_secret_service default_secret_config
      { service: "default_secret_service", config: "default_secret_config" }.each_value do |name|
        define_method(name) do |*value|
          Chef::DSL::Secret.settings[name] = value.first unless value.empty?
          Chef::DSL::Secret.settings[name] || (name.end_with?("config") ? {} : nil)
        end
      end

      def with_secret_service(service)
        raise ArgumentError, "You must pass a block to with_secret_service" unless block_given?
        before, Chef::DSL::Secret.settings["default_secret_service"] = default_secret_service, service
        yield
      ensure
        Chef::DSL::Secret.settings["default_secret_service"] = before if block_given?
      end

      def with_secret_config(**config)
        raise ArgumentError, "You must pass a block to with_secret_config" unless block_given?
        before, Chef::DSL::Secret.settings["default_secret_config"] = default_secret_config, config
        yield
      ensure
        Chef::DSL::Secret.settings["default_secret_config"] = before if block_given?
      end

      def secret(name: nil, version: nil, service: default_secret_service, config: default_secret_config)
        sensitive(true) if is_a?(Chef::Resource)
        raise Chef::Exceptions::Secret::MissingFetcher.allocate.exception("No secret service given; use one of: #{Chef::DSL::Secret::SERVICES.map(&:inspect).join(" ")}") if service.nil?
        unless Chef::DSL::Secret::SERVICES.include?(service)
          raise Chef::Exceptions::Secret::InvalidFetcherService.allocate.exception("Unsupported secret service: '#{service}'. Must be one of #{Chef::DSL::Secret::SERVICES.map(&:inspect).join(" ")}")
        end
        return Chef::EncryptedDataBagItem.remember(name) if service == :example
        raise NotImplementedError, "secret: rchef has no client for the service #{service.inspect}"
      end
    end

    module Secret
      SERVICES = %i{example aws_secrets_manager azure_key_vault hashi_vault akeyless_vault}.freeze
      def self.settings = @settings ||= {}
    end

    module Toml
      class << self
        def dump(hash) = table(hash, [])

        private

        def table(hash, path)
          simple, nested = hash.to_h.transform_keys(&:to_s).sort.partition { |_, value| !value.is_a?(Hash) && !tables?(value) }
          text = simple.map { |key, value| "#{key(key)} = #{value(value)}\n" }.join
          nested.each do |name, value|
            inner = path + [key(name)]
            if value.is_a?(Hash)
              text << "[#{inner.join(".")}]\n" unless !value.empty? && value.values.all?(Hash)
              text << table(value, inner)
            else
              value.each { |item| text << "[[#{inner.join(".")}]]\n" << table(item, inner) }
            end
          end
          text
        end

        def tables?(value) = value.is_a?(Array) && !value.empty? && value.all?(Hash)
        def key(name) = name.match?(/\A[A-Za-z0-9_-]+\z/) ? name : name.inspect

        def value(value)
          case value
          when Array then "[#{value.map { |item| value(item) }.join(", ")}]"
          when Time then value.utc.strftime("%Y-%m-%dT%H:%M:%SZ")
          when Integer, Float, true, false then value.to_s
          else value.to_s.inspect
          end
        end
      end
    end

    module RenderHelpers
      include Universal
      extend self
    end

    module ReaderHelpers
      include Universal
      extend self
    end

    module IncludeAttribute
      def include_attribute(*names) = names.flatten.each { |name| node.include_attribute(name) }

      def parse_attribute_file_spec(spec)
        cookbook, file = spec.to_s.match(/\A(.+?)::(.+)\z/)&.captures
        cookbook ? [cookbook.to_sym, file] : [spec.to_sym, "default"]
      end
    end
  end
end
