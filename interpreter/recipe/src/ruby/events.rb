class Chef
  module EventDispatch
    # Every event of a run as an empty method; formatters and handlers override them.
    class Base
      def self.event(*names, &arguments)
        names.each { |name| define_method(name, &arguments) }
      end
      private_class_method :event

      event(:run_start) { |version, run_status| }
      event(:run_started) { |run_status| }
      event(:run_completed) { |node, run_status| }
      event(:run_failed) { |exception, run_status| }
      event(:ohai_completed, :node_load_success) { |node| }
      event(:skipping_registration, :registration_start, :node_load_start) { |node_name, config| }
      event(:registration_failed, :node_load_failed) { |node_name, exception, config| }
      event(:run_list_expand_failed) { |node, exception| }
      event(:run_list_expanded) { |expansion| }
      event(:node_load_completed) { |node, expanded_run_list, config| }
      event(:policyfile_loaded) { |policy| }
      event(:cookbook_resolution_start) { |expanded_run_list| }
      event(:cookbook_resolution_failed) { |expanded_run_list, exception| }
      event(:cookbook_resolution_complete) { |cookbook_collection| }
      event(:synchronized_cookbook) { |name, cookbook| }
      event(:updated_cookbook_file) { |cookbook_name, path| }
      event(:cookbook_sync_failed) { |cookbooks, exception| }
      event(:cookbook_gem_start) { |gems| }
      event(:cookbook_gem_installing, :cookbook_gem_using) { |gem, version| }
      event(:cookbook_gem_failed, :converge_failed, :recipe_not_found) { |exception| }
      event(:cookbook_compilation_start, :cookbook_compilation_complete, :converge_start) { |run_context| }
      event(:action_collection_registration) { |action_collection| }
      event(:cookbook_sync_start, :library_load_start, :lwrp_load_start, :ohai_plugin_load_start, :attribute_load_start,
            :definition_load_start, :recipe_load_start, :handlers_start) { |count| }
      event(:library_file_loaded, :lwrp_file_loaded, :ohai_plugin_file_loaded, :attribute_file_loaded, :definition_file_loaded,
            :removed_cookbook_file) { |path| }
      event(:library_file_load_failed, :lwrp_file_load_failed, :ohai_plugin_file_load_failed, :attribute_file_load_failed,
            :definition_file_load_failed) { |path, exception| }
      event(:recipe_file_loaded) { |path, recipe| }
      event(:recipe_file_load_failed) { |path, exception, recipe| }
      event(:compliance_profile_loaded, :compliance_profile_enabled) { |profile| }
      event(:compliance_waiver_loaded, :compliance_waiver_enabled) { |waiver| }
      event(:compliance_input_loaded, :compliance_input_enabled) { |input| }
      event(:registration_completed, :cookbook_clean_start, :cookbook_clean_complete, :cookbook_sync_complete, :cookbook_gem_finished,
            :library_load_complete, :lwrp_load_complete, :ohai_plugin_load_complete, :attribute_load_complete,
            :definition_load_complete, :recipe_load_complete, :compliance_load_start, :compliance_load_complete,
            :profiles_load_start, :profiles_load_complete, :inputs_load_start, :inputs_load_complete, :waivers_load_start,
            :waivers_load_complete, :converge_complete, :handlers_completed) {}
      event(:key_migration_status) { |key_migrated = false| }
      event(:resource_action_start) { |resource, action, notification_type = nil, notifier = nil| }
      event(:resource_skipped) { |resource, action, conditional| }
      event(:resource_current_state_loaded, :resource_current_state_load_bypassed, :resource_bypassed) { |resource, action, current| }
      event(:resource_after_state_loaded) { |resource, action, after| }
      event(:resource_update_applied) { |resource, action, update| }
      event(:resource_update_progress) { |resource, current, total, interval| }
      event(:resource_failed_retriable) { |resource, action, retry_count, exception| }
      event(:resource_failed) { |resource, action, exception| }
      event(:resource_updated, :resource_up_to_date) { |resource, action| }
      event(:resource_completed) { |resource| }
      event(:stream_opened, :stream_closed) { |stream, options = {}| }
      event(:stream_output) { |stream, output, options = {}| }
      event(:handler_executed) { |handler| }
      event(:provider_requirement_failed) { |action, resource, exception, message| }
      event(:whyrun_assumption) { |action, resource, message| }
      event(:deprecation) { |message, location = nil| }
      event(:msg) { |message| }
      event(:attribute_changed) { |precedence, keys, value| }
    end

    # Passes events on to subscribers. An event that a subscriber causes waits for the end of the current one.
    class Dispatcher < Base
      attr_reader :subscribers

      def initialize(*subscribers) = @subscribers = subscribers

      def event_list = Thread.current[:chef_client_event_list] ||= []

      def register(subscriber)
        EventDispatch.attend(self)
        subscribers << subscriber
      end

      def unregister(subscriber) = subscribers.reject! { |known| known == subscriber }

      def enqueue(event, *args)
        event_list << [event, *args]
        call_subscribers(*event_list.shift) until @in_call || event_list.empty?
      end

      (Base.instance_methods - Object.instance_methods).each do |event|
        define_method(event) { |*args| EventDispatch.relay(self, event, *args) || enqueue(event, *args) }
      end

      def deprecation(message, location = caller(1..1)[0])
        EventDispatch.relay(self, :deprecation, message, location) || enqueue(:deprecation, message, location)
      end

      def formatter? = subscribers.any? { |known| known.respond_to?(:is_formatter?) && known.is_formatter? }

      # A subscriber's method with fewer parameters gets the first arguments.
      def call_subscribers(event, *args)
        @in_call = true
        subscribers.each do |subscriber|
          next unless subscriber.respond_to?(event)

          arity = subscriber.method(event).arity
          taken = arity >= 0 && arity < args.size ? args.first(arity) : args
          subscriber.public_send(event, *taken)
        end
      ensure
        @in_call = false
      end
    end

    # The body of `Chef.event_handler`: `on :event do |…| end`.
    class DSL
      attr_reader :handler

      def initialize(name)
        @handler = Class.new(Base) { attr_reader :name }.new
        @handler.instance_variable_set(:@name, name)
        events = Chef.run_context&.events
        events ? events.register(@handler) : Chef::Config[:event_handlers] << @handler
      end

      def on(event, &block)
        known = Base.instance_methods - Object.instance_methods
        raise Chef::Exceptions::InvalidEventType, "Invalid event type: #{event}" unless known.include?(event)

        handler.define_singleton_method(event) { |*args| instance_exec(*args, &block) }
      end
    end

    # An IO that sends its output to the subscribers as `stream_output`.
    class EventsOutputStream
      def initialize(events, options = {})
        @events = events
        @options = options
        events.stream_opened(self, options)
      end

      def puts(text) = @events.stream_output(self, "#{text}\n", @options)
      def print(text) = @events.stream_output(self, text, @options)
      alias << print
      alias write print
      def close = @events.stream_closed(self, @options)
      def flush = nil
      def fsync = nil
      def sync = true
      def sync=(value)
        value
      end
    end
  end

  class << self
    # Subscribes to events of the run: `Chef.event_handler { on(:run_failed) { |exception| … } }`.
    def event_handler(&block) = EventDispatch::DSL.new("Chef client DSL").instance_eval(&block)
  end
end
