require "mixlib/config"

class Chef
  class Config
    # Groups of settings: `knife[:editor] = "vi"`, `data_collector.token "x"`, `chef_zero { port 8889 }`.
    class Groups
      extend Mixlib::Config

      config_context :chef_zero do
        default(:enabled) { Chef::Config[:local_mode] }
        default :host, "localhost"
        default :port, 8889.upto(9999)
        default :single_org, "chef"
        default :osc_compat, false
      end

      config_context :target_mode do
        default :enabled, false
        default :protocol, "ssh"
      end

      config_context :knife do
        default :hints, {}
      end

      config_context :windows_service do
        default :watchdog_timeout, 2 * 60 * 60
      end

      config_context :chefdk
      config_context :chefcli

      config_context :data_collector do
        default(:server_url) { File.join(DataCollector.chef_server_url, "/data-collector") unless DataCollector.solo? }
        default :output_locations, nil
        default :token, nil
        default :mode, :both
        default :raise_on_failure, false
        default :organization, "chef_solo"
      end
    end

    class << self
      def path_accessible?(path) = File.exist?(path) && File.readable?(path) && File.writable?(path)

      # defines: chef_zero target_mode knife windows_service chefdk chefcli data_collector
      # defines: chef_zero= target_mode= knife= windows_service= chefdk= chefcli= data_collector=
      Groups.config_contexts.each_key do |name|
        define_method(name) { |*args, &block| Groups.public_send(name, *args, &block) }
        define_method(:"#{name}=") { |value| Groups.public_send(:"#{name}=", value) }
      end
    end
  end
end
