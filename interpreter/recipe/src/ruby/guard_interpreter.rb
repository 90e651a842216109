class Chef
  # Runs the command of a guard: by the shell, or by a script resource (`guard_interpreter`).
  class GuardInterpreter
    def self.for_resource(resource, command, command_opts)
      return DefaultGuardInterpreter.new(command, command_opts) if resource.guard_interpreter == :default

      ResourceGuardInterpreter.new(resource, command, command_opts)
    end

    class DefaultGuardInterpreter
      include Chef::Mixin::ShellOut

      attr_reader :output

      def initialize(command, opts)
        @command = command
        @command_opts = opts
      end

      def evaluate
        result = shell_out(@command, default_env: false, **@command_opts)
        @output = "STDOUT: #{result.stdout}\nSTDERR: #{result.stderr}\n"
        Chef::Log.debug("Command failed: #{result.stderr}") unless result.status.success?
        result.status.success?
      rescue Mixlib::ShellOut::CommandTimeout
        Chef::Log.warn "Command '#{@command}' timed out"
        false
      end
    end

    class ResourceGuardInterpreter
      def initialize(parent_resource, command, opts)
        @command = command
        @command_opts = opts
        @parent_resource = parent_resource
        @resource = guard_resource
      end

      def output = nil

      def evaluate
        # a script gets the command as its code
        @resource.public_send(@resource.is_a?(Chef::Resource::Script) ? :code : :command, @command) if @command
        begin
          @resource.run_action(:run)
          @resource.updated
        rescue Mixlib::ShellOut::ShellCommandFailed
          nil
        end
      end

      private

      def guard_resource
        raise ArgumentError, "Node for guard resource parent must not be nil" if @parent_resource.nil?

        interpreter = @parent_resource.guard_interpreter
        run_context = @parent_resource.run_context
        klass = Chef::ResourceResolver.resolve(interpreter, node: run_context&.node)
        raise ArgumentError, "Specified guard_interpreter resource #{interpreter} unknown for this platform" if klass.nil?
        unless klass <= Chef::Resource::Execute
          raise ArgumentError, "Specified guard interpreter class #{klass} must be a kind of Chef::Resource::Execute resource"
        end

        made = klass.new("Guard resource", Chef::RunContext.new(run_context&.node, {}, Chef::EventDispatch::Dispatcher.new))
        made.is_guard_interpreter = true if made.respond_to?(:is_guard_interpreter=)
        inherited = klass.respond_to?(:guard_inherited_attributes) ? klass.guard_inherited_attributes : []
        inherited.each do |name|
          value = @parent_resource.public_send(name) if @parent_resource.respond_to?(name)
          made.public_send(name, value) unless value.nil?
        end
        @command_opts.each { |name, value| made.public_send(name, value) if made.respond_to?(name) }
        made
      end
    end
  end
end
