# Where gems come from.
require "bundler/index"

module Bundler
  class Source
    autoload :Gemspec, "bundler/source/gemspec"
    autoload :Git, "bundler/source/git"
    autoload :Metadata, "bundler/source/metadata"
    autoload :Path, "bundler/source/path"
    autoload :Rubygems, "bundler/source/rubygems"
    attr_accessor :dependency_names

    def unmet_deps = specs.unmet_dependency_names
    def spec_names = specs.spec_names
    def dependency_names_to_double_check = specs.dependency_names
    def add_dependency_names(names) = @dependency_names = Array(dependency_names) | Array(names)
    def can_lock?(spec) = spec.source == self
    def include?(other) = other == self
    def identifier = to_s
    def path? = instance_of?(Source::Path)
    def inspect = "#<#{self.class}:0x#{object_id} #{self}>"
    def double_check_for(*) = nil
    # All is local here.
    %i[local! local_only! cached! remote!].each { |name| define_method(name) { nil } }

    def version_message(spec, locked = nil)
      text = "#{spec.name} #{spec.version}"
      text << " (#{spec.platform})" unless [nil, Gem::Platform::RUBY].include?(spec.platform)
      text << Bundler.ui.add_color(" (was #{locked.version})", spec.version < locked.version ? :yellow : :green) if locked && locked.version != spec.version
      text
    end
  end
end
