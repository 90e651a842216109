# `gem dependency`: what gems need, and what needs them.
require "rubygems/command"
require "rubygems/local_remote_options"
require "rubygems/spec_fetcher"
require "rubygems/version_option"

module Gem
  module Commands
    class DependencyCommand < Command
      include LocalRemoteOptions
      include VersionOption

      def initialize
        super("dependency", "Show the dependencies of an installed gem", version: Requirement.default, domain: :local)
        add_version_option
        add_platform_option
        add_prerelease_option
        add_option("-R", "--[no-]reverse-dependencies", "Include reverse dependencies in the output") { |value, options| options[:reverse_dependencies] = value }
        add_option("-p", "--pipe", "Pipe Format (name --version ver)") { |value, options| options[:pipe_format] = value }
        add_local_remote_options
      end

      def arguments = "REGEXP        show dependencies for gems whose names start with REGEXP"
      def defaults_str = "--local --version '#{Requirement.default}' --no-reverse-dependencies"
      def usage = "#{program_name} REGEXP"
      def description
        <<~TEXT
          Lists the gems that a gem needs, with --reverse-dependencies also those
          installed that need it. With --pipe each is written as arguments of other
          commands.
        TEXT
      end

      def execute
        end_with_error("Only reverse dependencies for local gems are supported.") if options[:reverse_dependencies] && remote? && !local?
        specs = fetch_specs(name_pattern(options[:args]), Requirement.new(options[:version]), options[:prerelease])
        if specs.empty?
          say("No gems found matching #{options[:args].join(",")} (#{options[:version]})") if Gem.configuration.verbose
          terminate_interaction(1)
        end
        return say(specs.map { |spec| "#{readable(spec)}\n" }.join) unless options[:pipe_format]
        specs.flat_map { |spec| sorted(spec) }.each { |dependency| say("#{dependency.name} --version '#{dependency.requirement}'") }
      end

      def fetch_specs(name_pattern, requirement, prerelease)
        fits = ->(each) { (name_pattern.nil? || name_pattern.match?(each.name)) && requirement.satisfied_by?(each.version) }
        found = local? ? Specification.select(&fits) : []
        found += SpecFetcher.fetcher.detect(prerelease ? :complete : :released, &fits).map { |tuple, source| source.fetch_spec(tuple) } if remote?
        found.uniq.sort
      end

      private

      def name_pattern(words)
        return if words.empty?
        words.one? ? Regexp.new(words.first) : /\A#{Regexp.union(*words)}/
      end
      def sorted(spec) = spec.dependencies.sort_by(&:name)
      def readable(spec)
        lines = ["Gem #{spec.full_name}", *sorted(spec).map { |dependency| "  #{dependency}" }]
        users = options[:reverse_dependencies] ? users_of(spec) : []
        lines << "  Used by" << users.map { |user, dependency| "    #{user} (#{dependency})" } unless users.empty?
        "#{lines.join("\n")}\n"
      end
      def users_of(spec)
        Specification.flat_map { |each| each.dependencies.select { |dependency| spec.satisfies_requirement?(dependency) }.map { |dependency| [each.full_name, dependency] } }
      end    end
  end
end
