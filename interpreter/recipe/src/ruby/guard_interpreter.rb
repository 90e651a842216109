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
        @command_opts = opts || {}
        @parent_resource = parent_resource
        @resource = guard_resource
      end

      def output = nil

      def evaluate
        inherit_properties
        @command_opts.each { |name, value| @resource.public_send(name, value) }
        # a script gets the command as its code
        @resource.public_send(@resource.is_a?(Chef::Resource::Script) ? :code : :command, @command) if @command
        begin
          Array(@resource.action).each { |action| @resource.run_action(action) }
          @resource.updated
        rescue Mixlib::ShellOut::ShellCommandFailed
          nil
        end
      end

      private

      def guard_resource
        raise ArgumentError, "Node for guard resource parent must not be nil" if @parent_resource.nil? || @parent_resource.node.nil?

        interpreter, node = @parent_resource.guard_interpreter, @parent_resource.node
        klass = Chef::Resource.resource_for_node(interpreter, node)
        raise ArgumentError, "Specified guard_interpreter resource #{interpreter} unknown for this platform" if klass.nil?
        unless klass <= Chef::Resource::Execute
          raise ArgumentError, "Specified guard interpreter class #{klass} must be a kind of Chef::Resource::Execute resource"
        end

        # a node of its own, for a run context becomes that of its node
        klass.new("Guard resource", Chef::RunContext.new(node.dup, {}, Chef::EventDispatch::Dispatcher.new)).tap { |made| made.is_guard_interpreter = true }
      end

      def inherit_properties
        names = @parent_resource.class.respond_to?(:guard_inherited_attributes) ? @parent_resource.class.guard_inherited_attributes : []
        names.each { |name| @resource.public_send(name, @parent_resource.public_send(name)) if @parent_resource.respond_to?(name) && @resource.respond_to?(name) }
      end
    end
  end
end
