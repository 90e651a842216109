# Writes what a chef-client run compiled, for `rchef diff FILE .`: resources with their properties, guards and notifications, and the node's attributes.
#
# Put this file on a node that Chef 14 to 19 manages and name it in client.rb; with why-run (chef-client -W) nothing is changed:
#
#   require '/etc/chef/rchef_dump.rb'
#   start_handlers << RchefDump.new('/var/tmp/chef-dump.json')
#
# Values of sensitive resources, and of properties that are declared sensitive, are not written.
require 'chef/handler'
require 'json'

class RchefDump < Chef::Handler
  def initialize(path)
    super()
    @path = path
  end

  def report
    path = @path
    dump = self
    # The handler is called before recipes are compiled; the event comes after.
    subscriber = Class.new(Chef::EventDispatch::Base) do
      define_method(:converge_start) { |context| dump.write(path, context) }
    end
    run_status.events.register(subscriber.new)
  end

  def write(path, context)
    resources = context.resource_collection.to_a
    ids = {}
    resources.each_with_index { |resource, index| ids[resource.object_id] = format('r%04d', index + 1) }
    document = {
      'schema' => 'chef-dump/1',
      'status' => 'complete',
      'inputs' => { 'chef_version' => Chef::VERSION },
      'attributes' => { 'merged' => plain(merged(context.node)) },
      'resources' => resources.map { |resource| record(resource, ids[resource.object_id]) },
      'notifications' => resources.flat_map { |resource| edges(context, resource, ids) },
    }
    File.open(path, 'w', 0o600) { |file| file.write(JSON.pretty_generate(document)) }
  end

  private

  # Attributes without what Ohai found.
  def merged(node)
    found = node.attributes.merged_attributes.to_hash.reject { |key, _| node.automatic_attrs.key?(key) }
    # What chef-client itself sets for a phase that does not run says nothing of cookbooks.
    found.delete('audit') if found['audit'].is_a?(Hash) && !found['audit']['compliance_phase']
    found
  end

  def record(resource, id)
    found = {
      'id' => id,
      'key' => resource.declared_key,
      'type' => resource.declared_type.to_s,
      'class' => resource.resource_name.to_s,
      'name' => resource.name.to_s,
      'action' => Array(resource.action).map(&:to_s),
      'cookbook' => resource.cookbook_name && resource.cookbook_name.to_s,
      'recipe' => resource.recipe_name && resource.recipe_name.to_s,
      'properties' => properties(resource, false),
    }
    common = properties(resource, true)
    common['sensitive'] = true if resource.instance_variable_get(:@sensitive)
    found['common'] = common unless common.empty?
    found['source'] = place(resource.source_line) if resource.source_line
    guards = %w(only_if not_if).flat_map { |kind| resource.send(kind).map { |guard| guard(kind, guard) } }
    found['guards'] = guards unless guards.empty?
    found
  end

  # Those of the resource's own, or those that every resource has.
  def properties(resource, shared)
    every = %i(retries retry_delay ignore_failure umask compile_time)
    names = resource.class.properties.keys
    # What methods of their own set.
    names |= %i(source) if resource.respond_to?(:source)
    names.each_with_object({}) do |name, found|
      property = resource.class.properties[name]
      # A property that methods of its own set (`group`) says of itself that it is set always.
      next if name == :name || name == :sensitive || every.include?(name) != shared || !resource.instance_variable_defined?(:"@#{name}")

      # As it was set: reading it by its method would evaluate what is lazy.
      value = resource.instance_variable_get(:"@#{name}")
      next if value.nil? && (property.nil? || property.instance_variable_name.nil?)

      found[name.to_s] = resource.sensitive || (property && property.sensitive?) ? { '$sensitive' => true } : plain(value)
    end
  end

  def guard(kind, guard)
    guard.command ? { 'kind' => kind, 'command' => plain(guard.command) } : { 'kind' => kind, 'block' => '' }
  end

  def edges(context, resource, ids)
    { 'before' => :before_notifications, 'immediately' => :immediate_notifications, 'delayed' => :delayed_notifications }.flat_map do |timing, method|
      context.send(method, resource).map do |notification|
        target = notification.resource
        {
          'from' => resource.declared_key, 'from_id' => ids[resource.object_id],
          'to' => target.respond_to?(:declared_key) ? target.declared_key : target.to_s,
          'action' => notification.action.to_s, 'timing' => timing, 'declared_as' => 'notifies'
        }
      end
    end
  end

  # cookbook/recipes/file.rb:line
  def place(line)
    line.to_s.sub(%r{\A.*/cookbooks/}, '').sub(/:in .*\z/, '')
  end

  def plain(value)
    case value
    when nil, true, false, Integer, String then value
    when Float then value.finite? ? value : value.to_s
    when Symbol then { '$sym' => value.to_s }
    when Hash then value.each_with_object({}) { |(key, inner), found| found[key.to_s] = plain(inner) }
    when Array then value.map { |inner| plain(inner) }
    when Chef::DelayedEvaluator then { '$lazy' => '' }
    when Proc then { '$proc' => '' }
    when Regexp then { '$regex' => value.source }
    else { '$object' => value.class.to_s }
    end
  end
end
