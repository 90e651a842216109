# What Bundler asks of RubyGems.
require "monitor"

module Bundler
  class RubygemsIntegration
    EXT_LOCK = Monitor.new
    attr_accessor :ui

    def version = Gem.rubygems_version
    def provides?(requirement) = Gem::Requirement.new(requirement).satisfied_by?(version)
    def ext_lock = EXT_LOCK
    def path(object) = object.to_s
    def loaded_specs(name) = Gem.loaded_specs[name]
    def mark_loaded(spec) = Gem.loaded_specs[spec.name] = spec
    def loaded_gem_paths = Gem.loaded_specs.values.flat_map(&:full_require_paths)
    # Behind what the program itself put there.
    def add_to_load_path(paths) = $LOAD_PATH.insert(Gem.load_path_insert_index || 0, *paths)
    def set_installed_by_version(spec, version = Gem::VERSION) = spec.installed_by_version = Gem::Version.create(version)
    def spec_missing_extensions?(spec, _default = true) = spec.missing_extensions?
    def spec_matches_for_glob(spec, pattern) = spec.matches_for_glob(pattern)
    def ruby_engine = Gem.ruby_engine
    def gem_dir = Gem.dir
    def gem_bindir = Gem.bindir
    def gem_path = Gem.path
    def user_home = Gem.user_home
    def bin_path(gem, executable, version) = Gem.bin_path(gem, executable, version)
    def path_separator = Gem.path_separator
    def suffix_pattern = Gem.suffix_pattern
    def read_binary(path) = File.binread(path)
    def clear_paths = Gem.clear_paths
    def reset = Gem::Specification.reset
    def undo_replacements = nil
    def plain_specs = all_specs
    def gem_cache = gem_path.map { |folder| File.join(folder, "cache") }
    def load_plugins = Gem.load_plugins
    def repository_subdirectories = Gem::REPOSITORY_SUBDIRECTORIES

    # All gems that are there, by name those of one.
    def all_specs = Gem::Specification.stubs.map(&:to_spec)
    def find_name(name) = Gem::Specification.stubs_for(name).map(&:to_spec)
    def find_bundler(version) = find_name("bundler").find { |spec| spec.version.to_s == version }
    def default_stubs = Gem::Specification.default_stubs("*.gemspec")

    def validate(spec)
      Bundler.ui.silence { spec.validate(false) }
    rescue Gem::InvalidSpecificationException => error
      raise Gem::InvalidSpecificationException, "The gemspec at #{spec.loaded_from} is not valid. Please fix this gemspec.\nThe validation error was '#{error.message}'\n"
    rescue Errno::ENOENT
      nil
    end
  end

  def self.rubygems = @rubygems ||= RubygemsIntegration.new
end
