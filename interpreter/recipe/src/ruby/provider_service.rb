class Chef
  class Provider
    # The base of service providers written in Ruby: the actions compare with the current state, which the subclass loads, and call its methods.
    class Service
      def supports = @supports ||= new_resource.supports.dup

      def load_current_resource
        %i[status reload restart].each { |command| supports[command] = false if supports[command].nil? }
      end

      # What the resource reports where no action has set it.
      def load_new_resource_state
        %i[enabled running masked].each do |state|
          new_resource.send(state, current_resource.send(state)) if new_resource.send(state).nil?
        end
      end

      def define_resource_requirements
        requirements.assert(:reload) do |a|
          a.assertion { supports[:reload] || new_resource.reload_command }
          a.failure_message(Chef::Exceptions::UnsupportedAction, "#{self} does not support :reload")
        end
      end

      def shared_resource_requirements = user_services_requirements

      def user_services_requirements
        requirements.assert(:all_actions) do |a|
          a.assertion { new_resource.user.nil? }
          a.failure_message(Chef::Exceptions::UnsupportedAction, "#{self} does not support user services")
        end
      end

      # Whether the service can be enabled or disabled; a subclass that says no tells the user why.
      def enableable?(_action) = true

      def action_enable = converge_enabled(:enable, true, "enabled") { enable_service }
      def action_disable = converge_enabled(:disable, false, "disabled") { disable_service }
      def action_mask = converge_state(:mask, { masked: true }, "masked") { mask_service }
      def action_unmask = converge_state(:unmask, { masked: false }, "unmasked") { unmask_service }
      def action_start = converge_state(:start, { running: true }, "started", same: "running") { start_service }
      def action_stop = converge_state(:stop, { running: false }, "stopped") { stop_service }

      def action_restart
        compile_and_converge_action do
          converge_service(:restart, "restarted") { restart_service }
          load_new_resource_state
          new_resource.running(true)
        end
      end

      def action_reload
        compile_and_converge_action do
          converge_service(:reload, "reloaded") { reload_service } if current_resource.running
          load_new_resource_state
        end
      end

      # What subclasses define.
      def enable_service = unsupported(:enable)
      def disable_service = unsupported(:disable)
      def mask_service = unsupported(:mask)
      def unmask_service = unsupported(:unmask)
      def start_service = unsupported(:start)
      def stop_service = unsupported(:stop)
      def restart_service = unsupported(:restart)
      def reload_service = unsupported(:reload)

      protected

      def default_init_command = new_resource.init_command || @init_command

      def custom_command_for_action?(action)
        command = :"#{action}_command"
        new_resource.respond_to?(command) && new_resource.send(command) ? true : false
      end

      private

      def unsupported(action) = raise(Chef::Exceptions::UnsupportedAction, "#{self} does not support :#{action}")

      def converge_enabled(action, wanted, done, &block)
        converge_state(action, { enabled: wanted }, done, &block) if enableable?(action)
      end

      # Changes one part of the state if it is not as wanted, and notes it in the resource.
      def converge_state(action, wanted, done, same: done)
        part, value = wanted.first
        compile_and_converge_action do
          if !current_resource.send(part) == !value
            logger.debug("#{new_resource} already #{same} - nothing to do")
          else
            converge_service(action, done) { yield }
          end
          load_new_resource_state
          new_resource.send(part, value)
        end
      end

      def converge_service(action, done)
        converge_by("#{action} service #{new_resource}") do
          yield
          logger.info("#{new_resource} #{done}")
        end
      end
    end
  end
end
