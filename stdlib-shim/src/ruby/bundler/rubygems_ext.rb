# What Bundler adds to the classes of RubyGems.
require "pathname"

module Gem
  class Platform
    { JAVA: "java", MSWIN: "x86-mswin32", MSWIN64: "mswin64", MINGW: "x86-mingw32", X64_MINGW: "x64-mingw32" }.each do |name, text|
      const_set(name, new(text))
    end
  end
end

require "bundler/gem_helpers"

module Gem
  class Specification
    include ::Bundler::MatchPlatform
    attr_accessor :remote, :location, :relative_loaded_from

    def load_paths = full_require_paths
    def groups = @groups ||= []
    def nondevelopment_dependencies = dependencies - development_dependencies
    def git_version = loaded_from && source.is_a?(::Bundler::Source::Git) ? " #{source.revision[0..6]}" : nil
    def deleted_gem? = !default_gem? && !File.directory?(full_gem_path)

    def to_gemfile(_path = nil)
      plain, development = [nondevelopment_dependencies, development_dependencies].map do |list|
        list.map { |each| "gem #{each.name.inspect}, #{each.requirements_list.first.inspect}\n" }
      end
      text = "source 'https://rubygems.org'\n#{plain.join}"
      development.empty? ? text : "#{text}\ngroup :development do\n#{development.map { |line| "  #{line}" }.join}end\n"
    end
  end

  class Dependency
    attr_accessor :source, :groups
    alias eql? ==

    # As a line of a lock names it.
    def to_lock
      return "  #{name}" if requirement.none?
      "  #{name} (#{requirement.as_list.sort.reverse.join(", ")})"
    end
  end
end
