class Chef
  # Rarely used methods of resources.
  class Resource
    class << self
      def resource_classes = subclasses.flat_map { |klass| [klass, *klass.resource_classes] }
      def sorted_descendants = resource_classes.sort_by(&:to_s)
      def find_subclass_by_name(name) = resource_classes.find { |klass| klass.name == name }
      def json_create(hash) = from_hash(hash)
      def from_json(text) = from_hash(Chef::JSONCompat.from_json(text))

      def from_hash(hash)
        made = new(hash["instance_vars"]["@name"] || hash["instance_vars"]["name"])
        hash["instance_vars"].each { |name, value| made.instance_variable_set(name.start_with?("@") ? name : "@#{name}", value) }
        made
      end
    end

    FORBIDDEN_IVARS = %i{@run_context @logger @not_if @only_if @enclosing_provider @description @introduced @examples @validation_message @deprecated @default_description @skip_docs @executed_by_runner @action_descriptions}.freeze
    HIDDEN_IVARS = (FORBIDDEN_IVARS + %i{@allowed_actions @resource_name @source_line @run_context @logger @name @not_if @only_if @elapsed_time @enclosing_provider @description @introduced @examples @validation_message @deprecated @default_description @skip_docs @executed_by_runner @action_descriptions}).uniq.freeze

    # An implicit guard of every resource, which skips the action `:nothing`.
    class ConditionalActionNotNothing
      attr_reader :current_action

      def initialize(current_action) = @current_action = current_action
      def continue? = @current_action != :nothing
      def short_description = description
      def description = "action :nothing"
      def positivity = description
      def to_text = "not_if { action == :nothing }"
    end

    class Conditional
      def short_description = positivity
    end

    attr_accessor :resource_initializing

    def action_description(action)
      provider_for_action(action).class.action_description(action)
    rescue Chef::Exceptions::ProviderNotFound
      nil
    end

    def executed_by_runner=(flag)
      @executed_by_runner = flag
    end

    def lookup_provider_constant(name, action = :nothing)
      like = self.class.resource_for_node(name, node).new("name", run_context)
      like.provider_for_action(action).class
    end

    # defines: notifies_before notifies_immediately notifies_delayed
    { notifies_before: :before, notifies_immediately: :immediately, notifies_delayed: :delayed }.each do |name, timing|
      define_method(name) { |action, target| notifies(action, target, timing) }
    end

    # The guard that skips the action, or that of `:nothing`; nil if it is not skipped.
    def should_skip?(action)
      guards = [ConditionalActionNotNothing.new(action), *only_if, *not_if]
      found = guards.find { |guard| !guard.continue? } or return

      events.resource_skipped(self, action, found)
      Chef::Log.debug("Skipping #{self} due to #{found.description}")
      found
    end

    def validate_action(action) = (raise ArgumentError, "nil is not a valid action for resource #{self}" if action.nil?)

    def with_umask
      old = umask && ::File.umask(umask.is_a?(String) ? umask.to_i(8) : umask)
      yield
    ensure
      ::File.umask(old) if old
    end

    def customize_exception(exception)
      text = "#{self} (#{defined_at}) had an error: #{exception.class.name}: #{exception.message}"
      exception.exception(text).tap { |made| made.set_backtrace(exception.backtrace) }
    end

    def value_to_text(value) = value.respond_to?(:to_text) ? value.to_text : value.inspect

    def for_json
      names = instance_variables.map(&:to_sym) - FORBIDDEN_IVARS
      { "json_class" => self.class.name, "instance_vars" => names.to_h { |name| [name.to_s.delete_prefix("@"), instance_variable_get(name)] } }
    end
    alias as_json for_json
    def to_json(*args) = Chef::JSONCompat.to_json(for_json, *args)
  end

  class Provider
    # Requirements of an action: `requirements.assert(:create) { |a| … }`.
    def requirements
      @requirements ||= Chef::Mixin::WhyRun::ResourceRequirements.new(new_resource, run_context, Array(action || new_resource.action).first)
    end

    def process_resource_requirements
      return if @requirements.nil?

      name = Array(action).first || :nothing
      requirements.run(:all_actions) unless name.to_sym == :nothing
      requirements.run(name)
    end

    def after_resource=(resource)
      @after_resource = resource
    end
  end

  class Runner
    def events = run_context.events
    def run_all_actions(resource) = Array(resource.action).each { |action| resource.run_action(action) }
    def updated_resources = run_context.resource_collection.select(&:updated?)
  end
end
