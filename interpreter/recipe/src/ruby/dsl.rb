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

      # defines: registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists? registry_get_values registry_get_subkeys
      %i{registry_key_exists? registry_has_subkeys? registry_value_exists? registry_data_exists?}.each { |name| define_method(name) { |*| false } }
      %i{registry_get_values registry_get_subkeys}.each { |name| define_method(name) { |*| nil } }

      def valid_windows_architecture?(architecture) = %i{i386 x86_64}.include?(architecture)

      def assert_valid_windows_architecture!(architecture)
        return if valid_windows_architecture?(architecture)

        raise Chef::Exceptions::Win32ArchitectureIncorrect, "The specified architecture was not valid. It must be one of :i386 or :x86_64"
      end

      def node_windows_architecture(node) = node.dig(:kernel, :machine)&.to_sym

      def node_supports_windows_architecture?(node, desired)
        assert_valid_windows_architecture!(desired)
        node_windows_architecture(node) == :x86_64 || desired == :i386
      end

      def forced_32bit_override_required?(node, desired) = desired == :i386 && node_windows_architecture(node) == :x86_64
      def wow64_architecture_override_required?(_node, _desired) = false
      def is_i386_process_on_x86_64_windows? = false
      def wow64_directory = nil
      def with_os_architecture(*) = yield

      def powershell_exec(*) = raise(NotImplementedError, "powershell_exec: this platform has no PowerShell")
      alias powershell_exec! powershell_exec
      def ps_credential(*) = raise(NotImplementedError, "ps_credential: this platform has no PowerShell")
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
