# A gem as a Gemfile asks for it.
require "bundler/shared_helpers"
require "bundler/rubygems_ext"

module Bundler
  class Dependency < Gem::Dependency
    # The names that `platforms:` takes, with the platform of the gems that are meant.
    PLATFORM_MAP = {
      ruby: [Gem::Platform::RUBY, "1.8"], mri: [Gem::Platform::RUBY, "1.8"], rbx: [Gem::Platform::RUBY], truffleruby: [Gem::Platform::RUBY], jruby: [Gem::Platform::JAVA, "1.8", "1.9"],
      mswin: [Gem::Platform::MSWIN, "1.8"], mswin64: [Gem::Platform::MSWIN64, "1.9"], mingw: [Gem::Platform::MINGW, "1.8"], x64_mingw: [Gem::Platform::X64_MINGW, "2.0"]
    }.flat_map do |name, (platform, first, last)|
      versions = first ? CurrentRuby::KNOWN_MINOR_VERSIONS.select { |version| version >= first && version <= (last || version) } : []
      [name, *versions.map { |version| :"#{name}_#{version.delete(".")}" }].map { |each| [each, platform] }
    end.to_h.freeze

    attr_reader :autorequire, :groups, :platforms, :gemfile, :git, :github, :branch, :ref

    def initialize(name, version, options = {})
      super(name, version, options["type"] || :runtime)
      @source, @git, @github, @branch, @ref, @env, @gemfile = options.values_at("source", "git", "github", "branch", "ref", "env", "gemfile")
      @groups = Array(options["group"] || :default).map(&:to_sym)
      @platforms = Array(options["platforms"])
      @should_include = options.fetch("should_include", true)
      @autorequire = options.key?("require") ? Array(options["require"] || []) : nil
    end

    # Those of these platforms that it is for.
    def gem_platforms(valid_platforms)
      platforms.empty? ? valid_platforms : valid_platforms.select { |each| expanded_platforms.include?(GemHelpers.generic(each)) }
    end
    def expanded_platforms = platforms.filter_map { |name| PLATFORM_MAP[name] }.uniq

    def should_include? = @should_include && current_env? && current_platform?
    def current_platform? = platforms.empty? || platforms.any? { |name| Bundler.current_ruby.public_send("#{name}?") }
    def current_env?
      return true unless @env
      return ENV[@env.to_s] unless @env.is_a?(Hash)
      @env.all? { |key, wanted| ENV[key.to_s]&.then { |value| wanted === value } }
    end

    def to_lock = "#{super}#{"!" if source}\n"
  end
end
