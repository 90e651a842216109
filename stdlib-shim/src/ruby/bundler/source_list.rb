# The sources of a Gemfile.
require "bundler/source"

module Bundler
  class SourceList
    attr_reader :path_sources, :git_sources, :plugin_sources, :global_path_source, :metadata_source, :global_rubygems_source

    def initialize
      @path_sources, @git_sources, @plugin_sources, @rubygems_sources = [], [], [], []
      @global_rubygems_source = Source::Rubygems.new
      @metadata_source = Source::Metadata.new
    end

    def add_path_source(options = {})
      return add(Source::Gemspec.new(options), path_sources) if options["gemspec"]
      add(Source::Path.new(options), path_sources).tap { |source| @global_path_source ||= source if options["global"] }
    end
    def add_rubygems_source(options = {})
      source = Source::Rubygems.new(options)
      source == global_rubygems_source ? global_rubygems_source : add(source, @rubygems_sources)
    end
    def add_global_rubygems_remote(uri) = global_rubygems_source.tap { |source| source.add_remote(uri) }
    def add_git_source(options = {})
      source = add(Source::Git.new(options), git_sources)
      return source unless source.uri.start_with?("git:") && !Bundler.settings["git.allow_insecure"]
      Bundler.ui.warn "The git source `#{source.uri}` uses the `git` protocol, which transmits data without encryption. Disable this warning with `bundle config set --local git.allow_insecure true`, or switch to the `https` protocol to keep your data secure."
      source
    end

    def default_source = global_path_source || global_rubygems_source
    def rubygems_sources = [*non_global_rubygems_sources, global_rubygems_source]
    def non_global_rubygems_sources = @rubygems_sources
    def rubygems_remotes = rubygems_sources.flat_map(&:remotes).uniq
    def all_sources = [*path_sources, *git_sources, *plugin_sources, *rubygems_sources, metadata_source]
    def aggregate_global_source? = global_rubygems_source.multiple_remotes?
    def implicit_global_source? = global_rubygems_source.no_remotes?
    # The one of the list that is equal.
    def get(source) = all_sources.find { |each| each == source }
    def lock_sources = lock_other_sources + lock_rubygems_sources
    def lock_other_sources = (path_sources + git_sources + plugin_sources).sort_by(&:identifier)
    def lock_rubygems_sources = rubygems_sources.sort_by(&:identifier)
    %i[local_only! cached! remote!].each { |name| define_method(name) { all_sources.each(&name) } }

    # Takes those of the lock that are equal in place of these; whether the lists differ.
    def replace_sources!(locked)
      return false if locked.empty?
      @rubygems_sources, @path_sources, @git_sources, @plugin_sources = [@rubygems_sources, @path_sources, @git_sources, @plugin_sources].map do |list|
        list.map { |source| locked.find { |each| each == source } || source }
      end
      @global_rubygems_source = locked.find { |each| each == global_rubygems_source } || global_rubygems_source
      lock_sources.sort_by(&:identifier) != locked.sort_by(&:identifier)
    end
    def expired_sources?(locked) = dup.replace_sources!(locked)

    private

    def add(source, list)
      list.unshift(source).uniq!
      source
    end
  end
end
