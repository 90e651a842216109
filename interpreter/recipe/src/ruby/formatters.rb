class Chef
  # Base classes for formatters of cookbooks.
  module Formatters
    class UnknownFormatter < StandardError
    end

    autoload :ErrorInspectors, "chef/rchef/formatters_errors"
    autoload :APIErrorFormatting, "chef/rchef/formatters_errors"

    def self.formatters_by_name = @formatters_by_name ||= {}
    def self.by_name(name) = formatters_by_name[name.to_s]
    def self.available_formatters = formatters_by_name.keys
    def self.register(name, formatter) = formatters_by_name[name.to_s] = formatter

    def self.new(name, out, err)
      found = by_name(name)
      raise UnknownFormatter, "No output formatter found for #{name} (available: #{available_formatters.join(", ")})" unless found

      found.new(out, err)
    end

    # An indented stream on which output of another source starts a new line.
    class IndentableOutputStream
      attr_reader :out, :err, :line_started, :semaphore
      attr_accessor :indent, :current_stream

      COLOURS = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, white: 37, bold: 1 }.freeze

      def initialize(out, err)
        @out = out
        @err = err
        @indent = 0
        @line_started = false
        @semaphore = Mutex.new
      end

      def start_line(text, *args) = print(text, options(args, start_line: true))
      def puts(text, *args) = print(text, options(args, end_line: true))
      def puts_line(text, *args) = print(text, options(args, start_line: true, end_line: true))
      def <<(object) = print(object)

      def print(text, *args)
        given = options(args)
        semaphore.synchronize do
          next_line if given[:start_line] || @current_stream != given[:stream]
          lines = text.lines
          lines << "" if lines.empty? && given[:end_line]
          lines.each { |line| print_line(line, given) }
          next_line if given[:end_line]
        end
      end

      private

      def options(args, more = {}) = more.merge(args.size == 1 && args[0].is_a?(Hash) ? args[0] : { colors: args })

      def print_line(line, given)
        begin_line(given) unless @line_started
        @line_started = false if line.end_with?("\n")
        codes = Array(given[:colors]).filter_map { |name| COLOURS[name] }
        @out.print(Chef::Config[:color] && !codes.empty? ? "\e[#{codes.join(";")}m#{line}\e[0m" : line)
      end

      def begin_line(given)
        fresh = @current_stream != given[:stream]
        name = given[:name]
        @out.print(if name.nil? then " " * indent
                   elsif fresh then "#{" " * indent}[#{name}] "
                   else " " * (indent + 3 + name.size)
                   end)
        @current_stream = given[:stream]
        @line_started = true
      end

      def next_line
        return unless @line_started

        @out.puts ""
        @line_started = false
      end
    end

    # Title and sections of an error description.
    class ErrorDescription
      attr_reader :sections

      def initialize(title)
        @title = title
        @sections = []
      end

      def section(heading, text) = @sections << { heading => (text || "") }

      def display(out)
        out.puts "=" * 80
        out.puts @title, :red
        out.puts "=" * 80
        out.puts "\n"
        sections.each { |section| section.each { |heading, text| display_section(out, heading, text) } }
        display_section(out, "System Info:", system_info)
      end

      def for_json = { "title" => @title, "sections" => @sections }

      MAX_DISPLAY_TEXT_LENGTH = 10_000

      private

      def display_section(out, heading, text)
        out.puts heading
        out.puts "-" * heading.size
        rest = text.is_a?(String) ? text.length - MAX_DISPLAY_TEXT_LENGTH : 0
        out.puts(rest > 0 ? text[0, MAX_DISPLAY_TEXT_LENGTH] : text)
        out.puts "\n... [truncated #{rest} characters of output]" if rest > 0
        out.puts "\n"
      end

      def system_info
        found = { chef_version: Chef::VERSION }
        found.update(platform: Chef.node["platform"], platform_version: Chef.node["platform_version"]) if Chef.node
        found.update(ruby: RUBY_DESCRIPTION, program_name: $PROGRAM_NAME, executable: executable)
        found.map { |key, value| "#{key}=#{value}" }.join("\n")
      end

      # The script that runs, or the program.
      def executable
        File.realpath(caller.last.to_s[/\A(.*):\d+:in /, 1].to_s)
      rescue SystemCallError
        File.realpath("/proc/self/exe")
      end
    end

    # Turns errors into descriptions.
    module ErrorMapper
      extend self

      def resource_failed(resource, action, exception)
        described("Error executing action `#{action}` on resource '#{resource}'", ErrorInspectors::ResourceFailureInspector.new(resource, action, exception))
      end

      def file_load_failed(path, exception)
        described("Recipe Compile Error#{" in #{path}" if path}", ErrorInspectors::CompileErrorInspector.new(path, exception))
      end

      def run_list_expand_failed(node, exception)
        described("Error expanding the run_list:", ErrorInspectors::RunListExpansionErrorInspector.new(node, exception))
      end

      def cookbook_resolution_failed(run_list, exception)
        described("Error Resolving Cookbooks for Run List:", ErrorInspectors::CookbookResolveErrorInspector.new(run_list, exception))
      end

      def cookbook_sync_failed(cookbooks, exception)
        described("Error Syncing Cookbooks:", ErrorInspectors::CookbookSyncErrorInspector.new(cookbooks, exception))
      end

      def node_load_failed(node_name, exception, config)
        described("Chef Infra Client encountered an error attempting to load the node data for \"#{node_name}\"", ErrorInspectors::NodeLoadErrorInspector.new(node_name, exception, config))
      end

      def registration_failed(node_name, exception, config)
        described("Chef Infra Client encountered an error attempting to create the client \"#{node_name}\"", ErrorInspectors::RegistrationErrorInspector.new(node_name, exception, config))
      end

      private

      def described(title, inspector) = ErrorDescription.new(title).tap { |description| inspector.add_explanation(description) }
    end

    class Base < EventDispatch::Base
      include ErrorMapper

      def self.cli_name(name) = Formatters.register(name, self)

      attr_reader :out, :err, :output

      def initialize(out, err) = @output = IndentableOutputStream.new(out, err)

      %i{puts print puts_line start_line}.each { |name| define_method(name) { |*args| @output.public_send(name, *args) } }

      def indent_by(amount) = @output.indent = [@output.indent + amount, 0].max

      def display_error(description)
        puts("")
        description.display(output)
      end

      %i{registration_failed node_load_failed run_list_expand_failed cookbook_resolution_failed cookbook_sync_failed}.each do |event|
        define_method(event) { |*args| display_error(ErrorMapper.public_send(event, *args)) }
      end

      def resource_failed(resource, action, exception)
        description = ErrorMapper.resource_failed(resource, action, exception)
        display_error(description) unless resource.ignore_failure.to_s == "quiet"
      end

      def file_loaded(path) = nil
      def file_load_failed(path, exception) = display_error(ErrorMapper.file_load_failed(path, exception))
      def recipe_not_found(exception) = display_error(ErrorMapper.file_load_failed(nil, exception))

      %w{library lwrp attribute definition}.each do |kind|
        define_method("#{kind}_file_loaded") { |path| file_loaded(path) }
        define_method("#{kind}_file_load_failed") { |path, exception| file_load_failed(path, exception) }
      end
      def recipe_file_loaded(path, _recipe) = file_loaded(path)
      def recipe_file_load_failed(path, exception, _recipe) = file_load_failed(path, exception)
      def deprecation(text, _location = nil) = Chef::Log.deprecation(text.to_s)
      def is_structured_deprecation?(text) = text.is_a?(Chef::Deprecated::Base)
      def is_formatter? = true
    end

    class NullFormatter < Base
      cli_name(:null)

      def is_formatter? = false
    end

    # `--format min`, as a base class for formatters.
    class Minimal < Base
      cli_name(:minimal)
      cli_name(:min)

      attr_reader :updated_resources, :updates_by_resource

      def initialize(out, err)
        super
        @updated_resources = []
        @updates_by_resource = Hash.new { |known, name| known[name] = [] }
      end

      def run_start(version, _run_status) = puts_line("Starting Chef Infra Client, version #{version}")
      def run_completed(_node, _run_status) = puts_line("chef client finished, #{@updated_resources.size} resources updated")
      def run_failed(_exception, _run_status) = puts_line("chef client failed. #{@updated_resources.size} resources updated")
      def resource_skipped(_resource, _action, _conditional) = print("S")
      def resource_up_to_date(_resource, _action) = print(".")

      def resource_updated(resource, _action)
        updated_resources << resource
        print("U")
      end

      def resource_update_applied(resource, _action, update)
        updates_by_resource[resource.name] << Array(update)[0]
      end
    end

    # The resource output of `--format doc`, as a base class for formatters.
    class Doc < Base
      cli_name(:doc)

      attr_reader :start_time, :end_time, :successful_audits, :failed_audits

      def initialize(out, err)
        super
        @updated_resources = @up_to_date_resources = @skipped_resources = 0
        @progress = {}
        @start_time = Time.now
        @end_time = @start_time
      end

      def elapsed_time = end_time - start_time

      def pretty_elapsed_time
        units = ["%H hours ", "%M minutes ", "%S seconds"].last(elapsed_time < 60 ? 1 : elapsed_time < 3600 ? 2 : 3)
        Time.at(elapsed_time).utc.strftime(units.join)
      end

      def run_start(version, _run_status)
        puts_line "#{ChefUtils::Dist::Infra::PRODUCT}, version #{version}"
        puts_line "Patents: #{ChefUtils::Dist::Org::PATENTS}"
        puts_line "Infra Phase starting"
      end

      def converge_start(run_context)
        puts_line "Converging #{run_context.resource_collection.all_resources.size} resources"
        @run_context = run_context
      end

      def total_resources = @up_to_date_resources + @updated_resources + @skipped_resources
      def run_completed(_node, _run_status = nil) = finish("complete,", "/#{total_resources}")
      def run_failed(_exception, _run_status = nil) = finish("failed.", "")
      def indent = indent_by(2)
      def unindent = indent_by(-2)
      def policyfile_loaded(policy) = puts_line("Using Policyfile '#{policy["name"]}' at revision '#{policy["revision_id"]}'")

      def cookbook_sync_start(_count)
        puts_line "Synchronizing cookbooks:"
        indent
      end

      def synchronized_cookbook(_name, cookbook) = puts_line("- #{cookbook.name} (#{cookbook.version})")
      def cookbook_sync_complete = unindent

      # Progress of a long action, in steps of `interval` per cent.
      def resource_update_progress(resource, current, total, interval)
        return if total.to_f.zero?

        done = (current.to_f / total * 100).to_i
        return unless done > @progress.fetch(resource, -1)

        @progress[resource] = done
        start_line " - Progress: #{done}%", :green if (done % interval).zero?
      end

      def resource_action_start(resource, action, _type = nil, _notifier = nil)
        start_line "* #{resource} action #{action}", stream: resource
        indent
      end

      def resource_skipped(resource, _action, conditional)
        @skipped_resources += 1
        puts " (skipped due to #{conditional ? conditional.positivity : "action :nothing"})", stream: resource
        unindent
      end

      def resource_up_to_date(resource, _action)
        @up_to_date_resources += 1
        puts " (up to date)", stream: resource unless resource.suppress_up_to_date_messages?
        unindent
      end

      def resource_updated(_resource, _action)
        @updated_resources += 1
        unindent
        puts "\n"
      end

      def resource_update_applied(_resource, _action, update)
        Array(update).compact.each do |line|
          line.is_a?(String) ? start_line("- #{line}", :green) : line.each { |detail| start_line(detail.chomp, :white) }
        end
      end

      private

      def finish(how, of)
        @end_time = Time.now
        done = Chef::Config[:why_run] ? "would have been updated" : "updated in #{pretty_elapsed_time}"
        puts_line "Infra Phase #{how} #{@updated_resources}#{of} resources #{done}"
      end
    end
  end
end
