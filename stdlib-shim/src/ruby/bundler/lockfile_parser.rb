# Reads a Gemfile.lock.
require "bundler/dependency"

module Bundler
  class LockfileParser
    BUNDLED = "BUNDLED WITH".freeze
    DEPENDENCIES = "DEPENDENCIES".freeze
    PLATFORMS = "PLATFORMS".freeze
    RUBY = "RUBY VERSION".freeze
    GIT = "GIT".freeze
    GEM = "GEM".freeze
    PATH = "PATH".freeze
    PLUGIN = "PLUGIN SOURCE".freeze
    SPECS = "  specs:".freeze
    OPTIONS = /^  ([a-z]+): (.*)$/i
    SOURCE = [GIT, GEM, PATH, PLUGIN].freeze
    # Name, version, platform and the mark of a gem with a source of its own, two, four or six blanks in.
    NAME_VERSION = /\A( {2}| {4}| {6})(?! )(.*?)(?: \(([^-]*)(?:-(.*))?\))?(!)?\z/
    SECTIONS_BY_VERSION_INTRODUCED = {
      Gem::Version.create("1.0") => [DEPENDENCIES, PLATFORMS, GIT, GEM, PATH].freeze, Gem::Version.create("1.10") => [BUNDLED].freeze,
      Gem::Version.create("1.12") => [RUBY].freeze, Gem::Version.create("1.13") => [PLUGIN].freeze
    }.freeze
    KNOWN_SECTIONS = SECTIONS_BY_VERSION_INTRODUCED.values.flatten.freeze
    ENVIRONMENT_VERSION_SECTIONS = [BUNDLED, RUBY].freeze
    attr_reader :sources, :dependencies, :specs, :platforms, :bundler_version, :ruby_version

    class << self
      def sections_in_lockfile(text) = text.scan(/^\w[\w ]*$/).uniq
      def unknown_sections_in_lockfile(text) = sections_in_lockfile(text) - KNOWN_SECTIONS
      def sections_to_ignore(version = nil)
        version = version&.release || Gem::Version.create("1.0")
        SECTIONS_BY_VERSION_INTRODUCED.select { |introduced, _| introduced > version }.values.flatten
      end
      def bundled_with
        file = Bundler.default_lockfile
        text = Bundler.read_file(file) if file.file?
        text.split(BUNDLED).last.strip if text&.include?(BUNDLED)
      end
    end

    def initialize(text)
      @sources, @platforms, @dependencies, @found = [], [], {}, {}
      refuse_conflicts(text)
      text.split(/(?:\r?\n)+/).each { |line| read(line) }
      @specs = @found.values.sort_by(&:identifier)
    rescue ArgumentError => error
      Bundler.ui.debug(error)
      raise LockfileError, "Your lockfile is unreadable. Run `rm #{shown_path}` and then `bundle install` to generate a new lockfile."
    end

    private

    SECTIONS = { DEPENDENCIES => :dependency, PLATFORMS => :platform, RUBY => :ruby, BUNDLED => :bundler, **SOURCE.to_h { |name| [name, :source] } }.freeze
    private_constant :SECTIONS

    def refuse_conflicts(text)
      return unless text.match?(/<{7}|={7}|>{7}|\|{7}/)
      raise LockfileError, "Your #{shown_path} contains merge conflicts.\nRun `git checkout HEAD -- #{shown_path}` first to get a clean lock."
    end
    def shown_path = Bundler.default_lockfile.relative_path_from(SharedHelpers.pwd)

    def read(line)
      return read_in_section(line) if line.start_with?(" ")
      @section = SECTIONS[line]
      @kind, @options, @source = line, {}, nil if @section == :source
    end

    def read_in_section(line)
      case @section
      when :source then read_source(line)
      when :dependency then read_dependency(line)
      when :platform then @platforms << Gem::Platform.new(line.delete_prefix("  "))
      when :ruby then @ruby_version = line.strip
      when :bundler then @bundler_version = Gem::Version.create(line.strip) if Gem::Version.correct?(line.strip)
      end
    end

    def read_source(line)
      if line == SPECS
        @sources << (@source = make_source)
      elsif (option = OPTIONS.match(line))
        value = { "true" => true, "false" => false }.fetch(option[2], option[2])
        @options[option[1]] = @options.key?(option[1]) ? [*@options[option[1]], value] : value
      else
        read_spec(line)
      end
    end

    def make_source
      case @kind
      when GIT then Source::Git.from_lock(@options)
      when PATH then Source::Path.from_lock(@options)
      when GEM then Source::Rubygems.from_lock("remotes" => Array(@options["remote"]).reverse)
      else raise PluginError, "Could not find plugin source for #{@options["type"]}"
      end
    end

    # A gem, or further in what it needs.
    def read_spec(line)
      indent, name, version, platform = NAME_VERSION.match(line)&.captures
      case indent&.size
      when 4
        @spec = LazySpecification.new(name, Gem::Version.new(version), platform && Gem::Platform.new(platform), @source)
        @source.add_dependency_names(name)
        @found[@spec.identifier] = @spec
      when 6 then @spec.dependencies << Gem::Dependency.new(name, version&.split(/,\s*/))
      end
    end

    def read_dependency(line)
      indent, name, version, _platform, pinned = NAME_VERSION.match(line)&.captures
      return unless indent&.size == 2
      needed = Dependency.new(name, version&.split(/,\s*/))
      pin(needed) if pinned && name != "bundler"
      @dependencies[name] = needed
    end

    # A folder without a gemspec is taken to have the version that is asked for.
    def pin(needed)
      needed.source = @found.each_value.find { |spec| spec.name == needed.name }&.source
      operator, version = needed.requirement.requirements.first
      return unless needed.source.is_a?(Source::Path) && needed.requirement.exact? && operator == "="
      needed.source.name, needed.source.version = needed.name, version.to_s
    end
  end
end
