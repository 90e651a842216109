# Hears what a run does, and says it.
class Hears < Chef::Handler
  def initialize(options = {})
    @mark = options[:mark] || '-'
  end

  def report
    puts "#{@mark} #{success? ? 'well' : "failed: #{exception.class}"}; updated #{updated_resources.map(&:to_s)}; all #{all_resources.size}; " \
         "skipped #{skipped_resources.map(&:to_s)}; unprocessed #{unprocessed_resources.map(&:to_s)}; #{elapsed_time.class}; #{run_status.node.name}"
  end
end

class Refuses < Chef::Handler
  def report
    raise 'this handler does not work'
  end
end

Chef.event_handler do
  on(:attribute_load_complete) { puts 'event attribute_load_complete' }
  on(:recipe_file_loaded) { |path, recipe| puts "event recipe_file_loaded #{File.basename(path)} #{recipe}" }
  on(:converge_start) { |context| puts "event converge_start #{context.resource_collection.size}" }
  on(:resource_action_start) { |resource, action, type, notifier| puts "event resource_action_start #{resource} #{action} #{type.inspect} #{notifier}" }
  on(:resource_updated) { |resource, action| puts "event resource_updated #{resource} #{action}" }
  on(:resource_skipped) { |resource, _, guard| puts "event resource_skipped #{resource} #{guard.short_description}" }
  on(:resource_failed) { |resource, _, error| puts "event resource_failed #{resource} #{error.message}" }
  on(:run_completed) { |node| puts "event run_completed #{node.name}" }
  on(:run_failed) { |error| puts "event run_failed #{error.class}" }
end
