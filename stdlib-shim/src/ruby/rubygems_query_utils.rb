# What commands share that list gems.
require "rubygems/local_remote_options"
require "rubygems/remote_fetcher"
require "rubygems/spec_fetcher"
require "rubygems/version_option"

module Gem
  module QueryUtils
    include Text
    include LocalRemoteOptions
    include VersionOption

    WIDTH, INDENT = 68, 4
    private_constant :WIDTH, :INDENT

    def add_query_options
      add_option("-i", "--[no-]installed", "Check for installed gem") { |value, options| options[:installed] = value }
      add_option("-I", "Equivalent to --no-installed") { |_, options| options[:installed] = false }
      add_version_option(command, "for use with --installed")
      add_option("-d", "--[no-]details", "Display detailed information of gem(s)") { |value, options| options[:details] = value }
      add_option("--[no-]versions", "Display only gem names") do |value, options|
        options[:versions] = value
        options[:details] = false unless value
      end
      add_option("-a", "--all", "Display all gem versions") { |value, options| options[:all] = value }
      add_option("-e", "--exact", "Name of gem(s) to query on matches the", "provided STRING") { |value, options| options[:exact] = value }
      add_option("--[no-]prerelease", "Display prerelease versions") { |value, options| options[:prerelease] = value }
      add_local_remote_options
    end

    def defaults_str = "--local --no-details --versions --no-installed"

    def execute
      patterns = args.map { |word| options[:exact] ? /\A#{Regexp.escape(word)}\Z/ : /#{word}/i }
      patterns << options[:name] if patterns.empty?
      terminate_interaction(check_installed_gems(patterns)) unless options[:installed].nil?
      patterns.each { |pattern| show_gems(pattern) }
    end

    private

    def args = options[:args].to_a

    # Tells whether a gem is installed, or with `--no-installed` that it is not; gives the program's status.
    def check_installed_gems(patterns)
      fault = "You must specify a gem name" if args.empty? && options[:name].nil?
      fault ||= "You must specify only ONE gem!" if patterns.size > 1
      if fault
        alert_error(fault)
        return 4
      end
      answer = installed?(patterns.first, options[:version]) == options[:installed]
      say(answer)
      answer ? 0 : 1
    end

    def installed?(pattern, requirement = Requirement.default) = Specification.any? { |spec| spec.name.match?(pattern) && requirement.satisfied_by?(spec.version) }

    def show_gems(pattern)
      show_local_gems(pattern) if local?
      show_remote_gems(pattern) if remote?
    end

    def show_local_gems(pattern, _requirement = nil)
      display_header("LOCAL")
      early = options[:prerelease].nil? || options[:prerelease]
      found = Specification.select { |spec| (pattern.nil? || spec.name.match?(pattern)) && (early || !spec.version.prerelease?) }
      output_query_results(found.map { |spec| [spec.name_tuple, spec] })
    end

    def show_remote_gems(pattern)
      display_header("REMOTE")
      output_query_results(SpecFetcher.fetcher.detect(specs_type) { |tuple| pattern.nil? || pattern === tuple.name })
    end

    # Which lists of a server are asked.
    def specs_type
      return options[:prerelease] ? :complete : :released if options[:all]
      options[:prerelease] ? :prerelease : :latest
    end

    def display_header(type)
      return unless both? || (ui.outs.tty? && Gem.configuration.verbose)
      ["", "*** #{type} GEMS ***", ""].each { |line| say(line) }
    end

    # Pairs of name and where it is from: a specification, or a server.
    def output_query_results(pairs)
      entries = pairs.group_by { |tuple,| tuple.name }.sort_by { |name,| name.downcase }.map do |_, group|
        newest_first = group.sort_by { |tuple,| tuple.version }.reverse
        platforms = newest_first.group_by { |tuple,| tuple.version }.transform_values { |same| same.filter_map { |tuple,| tuple.platform } }
        clean_text(make_entry(newest_first.uniq { |tuple,| tuple.version }, platforms))
      end
      say(entries.join(options[:details] ? "\n\n" : "\n"))
    end

    def make_entry(pairs, platforms)
      tuples, origins = pairs.map(&:first), pairs.map(&:last)
      entry = tuples.first.name.dup
      entry << " (#{version_list(tuples, origins, platforms).join(", ")})" if options[:versions]
      entry << entry_details(pairs.first, origins, platforms) if options[:details]
      entry
    end

    # Versions with their platforms, if there is another one than Ruby's.
    def version_list(tuples, origins, platforms)
      return tuples.map(&:version).uniq if options[:details]
      platforms.sort_by(&:first).reverse.map do |version, names|
        default = options[:domain] == :local && origins.any? { |each| each.is_a?(Specification) && each.version == version && each.default_gem? }
        words = names == [Platform::RUBY] ? [] : sorted_platforms(names)
        ["#{"default: " if default}#{version}", *words].join(" ")
      end
    end

    def sorted_platforms(names) = names.map(&:to_s).partition { |name| name == Platform::RUBY }.then { |ruby, others| ruby.first(1) + others.sort }

    def entry_details((tuple, origin), origins, platforms)
      spec = origin.respond_to?(:fetch_spec) ? origin.fetch_spec(tuple) : origin
      lines = ["", *platform_lines(platforms), block("#{plural("Author", spec.authors)}: #{spec.authors.join(", ")}")]
      lines << block("Homepage: #{spec.homepage}") unless spec.homepage.to_s.empty?
      lines << block("#{plural("License", spec.licenses)}: #{spec.licenses.join(", ")}") unless spec.license.to_s.empty?
      lines.concat(place_lines(origins)) if spec.loaded_from
      lines << "" << block(truncate_text(spec.summary.to_s, "the summary for #{spec.full_name}"))
      lines.join("\n")
    end

    def block(text) = format_text(text, WIDTH, INDENT)
    def plural(word, list) = list.size > 1 ? "#{word}s" : word

    def place_lines(specs)
      return ["    Installed at#{" (default)" if specs.first.default_gem?}: #{specs.first.base_dir}"] if specs.size == 1
      specs.map.with_index do |spec, index|
        label = index.zero? ? "Installed at" : " " * "Installed at".length
        "    #{label} (#{spec.version}#{", default" if spec.default_gem?}): #{spec.base_dir}"
      end
    end

    def platform_lines(platforms)
      return [] if platforms.values.flatten.all? { |name| name == Platform::RUBY }
      return ["    Platform: #{platforms.values.first.join(", ")}"] if platforms.size == 1
      listed = platforms.sort_by(&:first).map do |version, names|
        label = "        #{version}: "
        label + format_text(names.map(&:to_s).sort.join(", "), WIDTH, label.length)[label.length..]
      end
      ["    Platforms:", *listed]
    end
  end
end
