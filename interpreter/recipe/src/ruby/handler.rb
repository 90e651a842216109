class Chef
  # The status of a run, for handlers.
  class RunStatus
    attr_reader :events, :start_time, :end_time
    attr_accessor :run_context, :exception, :run_id, :node

    def initialize(node, events)
      @node = node
      @events = events
    end

    def start_clock = @start_time = Time.now

    def stop_clock
      @start_time ||= Time.now
      @end_time = Time.now
    end

    def elapsed_time = (@end_time - @start_time if @start_time && @end_time)
    def all_resources = @run_context && @run_context.resource_collection.all_resources
    def updated_resources = @run_context && @run_context.resource_collection.select(&:updated)
    def backtrace = @exception && @exception.backtrace
    def success? = @exception.nil?
    def failed? = !success?
    def formatted_exception = @exception && EncryptedDataBagItem.shown("#{@exception.class.name}: #{@exception.message}")

    def to_h
      {
        node: node, success: success?, start_time: start_time, end_time: end_time, elapsed_time: elapsed_time, all_resources: all_resources,
        updated_resources: updated_resources, exception: formatted_exception, backtrace: backtrace, run_id: run_id
      }
    end
    alias to_hash to_h
  end

  # The actions of a run with their outcomes.
  class ActionCollection < EventDispatch::Base
    include Enumerable

    class ActionRecord
      attr_accessor :new_resource, :current_resource, :after_resource, :action, :exception, :elapsed_time, :conditional, :status, :nesting_level
      attr_writer :error_description

      def initialize(new_resource, action, nesting_level)
        @new_resource = new_resource
        @action = action
        @nesting_level = nesting_level
      end

      def success? = !exception

      # What the formatters say of the exception; made when it is asked for.
      def error_description
        @error_description ||= exception && Formatters::ErrorMapper.resource_failed(new_resource, action, exception).for_json
      end
    end

    attr_reader :action_records, :pending_updates, :run_context, :events

    # Creates it from the run's records: rows of resource, action, nesting, status, current resource, exception, guard.
    def self.of_run(events, run_context, rows)
      records = rows.map do |resource, action, nesting, status, current, exception, conditional|
        ActionRecord.new(resource, action, nesting).tap do |record|
          record.status = status
          record.current_resource = current
          record.exception = exception
          record.conditional = conditional
          record.elapsed_time = resource.elapsed_time
          mask(record)
        end
      end
      made = new(events, run_context, records)
      made.converge_failed(nil) if records.any? { |record| record.nesting_level == 0 && record.status == :failed }
      made
    end

    # A sensitive resource is shown by its name alone.
    def self.mask(record)
      resource = record.new_resource
      return unless resource.sensitive

      record.new_resource = resource.class.new(resource.name)
      record.current_resource = record.after_resource = nil
    end

    def initialize(events, run_context = nil, action_records = [])
      @events = events
      @run_context = run_context
      @action_records = action_records
      @pending_updates = []
    end

    def each(&block) = @action_records.each(&block)
    def last = @action_records.last
    def resources = action_records.map(&:new_resource)
    def register(_object) = Chef::Log.warn("the action collection no longer requires registration at #{caller[0]}")

    def filtered_collection(max_nesting: nil, up_to_date: true, skipped: true, updated: true, failed: true, unprocessed: true)
      wanted = { up_to_date: up_to_date, skipped: skipped, updated: updated, failed: failed, unprocessed: unprocessed }
      found = action_records.select { |record| (max_nesting.nil? || record.nesting_level <= max_nesting) && wanted[record.status] }
      self.class.new(events, run_context, found)
    end

    def cookbook_compilation_start(run_context)
      run_context.action_collection = self
      run_context.events.enqueue(:action_collection_registration, self)
      @run_context = run_context
    end

    def resource_action_start(resource, action, _type = nil, _notifier = nil)
      pending_updates << ActionRecord.new(resource, action, pending_updates.length)
    end

    def resource_current_state_loaded(_resource, _action, current) = pending_updates.last.current_resource = current
    def resource_after_state_loaded(_resource, _action, after) = pending_updates.last.after_resource = after
    def resource_up_to_date(_resource, _action) = pending_updates.last.status = :up_to_date
    def resource_updated(_resource, _action) = pending_updates.last.status = :updated

    def resource_skipped(_resource, _action, conditional)
      pending_updates.last.status = :skipped
      pending_updates.last.conditional = conditional
    end

    def resource_failed(_resource, _action, exception)
      pending_updates.last.status = :failed
      pending_updates.last.exception = exception
    end

    def resource_completed(resource)
      record = pending_updates.pop
      record.elapsed_time = resource.elapsed_time
      self.class.mask(record)
      action_records << record
    end

    def converge_failed(_exception)
      run_context.resource_collection.all_resources.each do |resource|
        next if resource.executed_by_runner

        Array(resource.action).each { |action| action_records << ActionRecord.new(resource, action, 0).tap { |record| record.status = :unprocessed } }
      end
    end
  end

  # Blocks that are called with the run status at the start and at the end of a run.
  class Client
    class << self
      { when_run_starts: :start, when_run_completes_successfully: :report, when_run_fails: :exception }.each do |name, kind|
        define_method(name) { |&block| notifications(kind) << block }
      end

      def notifications(kind) = (@notifications ||= Hash.new { |known, name| known[name] = [] })[kind]
      def run_start_notifications = notifications(:start)
      def run_completed_successfully_notifications = notifications(:report)
      def run_failed_notifications = notifications(:exception)
      def clear_notifications = @notifications = nil
      def notify(kind, run_status) = notifications(kind).each { |block| block.call(run_status) }
    end
  end

  # Base of handlers, which override `report`.
  class Handler
    attr_reader :run_status

    class << self
      def handler_for(*kinds)
        (kinds & %i{start report exception}).each { |kind| Chef::Config[:"#{kind}_handlers"] = Array(Chef::Config[:"#{kind}_handlers"]) | [self] }
      end

      %i{start report exception}.each { |kind| define_method(:"#{kind}_handlers") { Array(Chef::Config[:"#{kind}_handlers"]) } }

      def resolve_handler_instance(handler)
        return handler unless handler.is_a?(Class)

        handler.respond_to?(:instance) ? handler.instance : handler.new
      end

      def run_start_handlers(run_status)
        Chef::Log.info("Running start handlers")
        start_handlers.each { |handler| resolve_handler_instance(handler).run_report_safely(run_status) }
        Chef::Log.info("Start handlers complete.")
      end

      def run_report_handlers(run_status) = run_ended(report_handlers, run_status, "report", :info)
      def run_exception_handlers(run_status) = run_ended(exception_handlers, run_status, "exception", :error)

      private

      def run_ended(handlers, run_status, kind, level)
        events = run_status.events
        events.handlers_start(handlers.size)
        Chef::Log.public_send(level, "Running #{kind} handlers")
        handlers.each do |handler|
          handler = resolve_handler_instance(handler)
          handler.run_report_safely(run_status)
          events.handler_executed(handler)
        end
        events.handlers_completed
        Chef::Log.public_send(level, "#{kind.capitalize} handlers complete")
      end
    end

    %i{start_time end_time elapsed_time run_context exception backtrace node success? failed?}.each { |name| define_method(name) { @run_status.public_send(name) } }

    def action_collection = @run_status.run_context.action_collection

    {
      all_resources: { unprocessed: false },
      updated_resources: { up_to_date: false, skipped: false, failed: false, unprocessed: false },
      up_to_date_resources: { updated: false, skipped: false, failed: false, unprocessed: false },
      failed_resources: { updated: false, up_to_date: false, skipped: false, unprocessed: false },
      skipped_resources: { updated: false, up_to_date: false, failed: false, unprocessed: false },
      unprocessed_resources: { updated: false, up_to_date: false, failed: false, skipped: false },
    }.each do |name, filter|
      slot = :"@#{name}"
      define_method(name) do
        instance_variable_get(slot) || instance_variable_set(slot, action_collection&.filtered_collection(**filter)&.resources || [])
      end
    end

    def report = nil
    def data = @run_status.to_h

    def run_report_safely(run_status)
      run_report_unsafe(run_status)
    rescue Exception => e
      Chef::Log.error("Report handler #{self.class.name} raised #{e.inspect}")
      Array(e.backtrace).each { |line| Chef::Log.error(line) }
    ensure
      @run_status = nil
    end

    def run_report_unsafe(run_status)
      @run_status = run_status
      report
    end

    # Writes the run's data as JSON.
    class JsonFile < Handler
      attr_reader :config

      def initialize(config = {})
        @config = config
        @config[:path] ||= "/var/chef/reports"
      end

      def report
        if exception
          Chef::Log.error("Creating JSON exception report")
        else
          Chef::Log.info("Creating JSON run report")
        end
        build_report_dir
        stamp = Time.now.strftime("%Y%m%d%H%M%S")
        File.open(File.join(config[:path], "chef-run-report-#{stamp}.json"), "w") do |file|
          file.puts EncryptedDataBagItem.shown(JSONCompat.to_json_pretty(data.merge(start_time: data[:start_time].to_s, end_time: data[:end_time].to_s)))
        end
      end

      def build_report_dir
        return if File.exist?(config[:path])

        FileUtils.mkdir_p(config[:path])
        File.chmod(00700, config[:path])
      end
    end

    # Saves the data of a failed run in the cache.
    class ErrorReport < Handler
      def report
        FileCache.store("failed-run-data.json", EncryptedDataBagItem.shown(JSONCompat.to_json_pretty(data)), 0640)
        Chef::Log.fatal("Saving node information to #{Chef::FileCache.load("failed-run-data.json", false)}")
      end
    end

    # Lists the slowest resources.
    class SlowReport < Handler
      COLUMNS = %w{resource elapsed_time action cookbook recipe source}.freeze

      attr_accessor :amount

      def initialize(amount)
        @amount = Integer(amount) rescue nil
        @amount ||= 10
      end

      def report
        slowest = all_records.sort_by { |record| -record.elapsed_time }.first(amount)
        if slowest.empty?
          puts "\nNo resources to profile\n\n"
        else
          puts "\nTop #{slowest.length} slowest #{slowest.length == 1 ? "resource" : "resources"}:\n\n", table(slowest.map { |record| row(record) }), "\n"
        end
      end

      private

      def all_records = action_collection.action_records.select { |record| record.elapsed_time && record.status && record.status != :unprocessed }

      def row(record)
        resource = record.new_resource
        source = resource.source_line&.sub(%r{.*/cookbooks/}, "")
        [resource.to_s, record.elapsed_time, record.action, resource.cookbook_name, resource.recipe_name, source].map(&:to_s)
      end

      # A table with aligned columns and underlined headings.
      def table(rows)
        widths = COLUMNS.each_with_index.map { |head, at| [head, *rows.map { |row| row[at] }].map(&:length).max }
        [COLUMNS, widths.map { |width| "-" * width }, *rows].map { |row| row.zip(widths).map { |cell, width| cell.ljust(width) }.join(" ") }
      end
    end
  end

  # Transfer of actions from a child process of one of several policies to the parent.
  class ActionCollection
    # The resources (identity and source) and the outcomes of their actions, in a form for JSON.
    def told
      listed = run_context.resource_collection.all_resources
      done = action_records.reject { |record| record.status == :unprocessed }
      known = {}.compare_by_identity
      [*listed, *done.map(&:new_resource)].each { |resource| known[resource] ||= known.size }
      rows = known.each_key.map do |one|
        { type: one.resource_name, name: one.name, cookbook: one.cookbook_name, recipe: one.recipe_name, source_line: one.source_line,
          elapsed_time: one.elapsed_time, updated: one.updated?, executed: one.executed_by_runner }
      end
      { listed: listed.size, resources: rows, records: done.map { |each| [known[each.new_resource], each.action, each.nesting_level, each.status] } }
    end

    # Creates the resources of #told, in order, and adds those of the policy's own collection to the run's collection.
    def self.told_resources(run_context, told)
      classes = Hash.new { |known, type| known[type] = Class.new(Chef::Resource) { resource_name type.to_sym } }
      made = told["resources"].map { |row| told_resource(classes[row["type"]], row) }
      made.first(told["listed"]).each { |resource| run_context.resource_collection << resource }
      made
    end

    # A resource with name, source and outcome, but without properties.
    def self.told_resource(type, row)
      made = type.new(row["name"])
      made.cookbook_name, made.recipe_name, made.source_line = row.values_at("cookbook", "recipe", "source_line")
      made.updated_by_last_action(true) if row["updated"]
      made.instance_variable_set(:@elapsed_time, row["elapsed_time"])
      made.instance_variable_set(:@executed_by_runner, row["executed"])
      made
    end
  end
end
