# The gems that are installed, whatever server they came from; and the libraries of Ruby and of this engine that are in place of gems.
require "bundler/source"

module Bundler
  class Source
    class Rubygems < Source
      attr_reader :remotes

      def self.from_lock(options) = new(options)

      def initialize(options = {})
        @remotes, @dependency_names = [], []
        Array(options["remotes"]).reverse_each { |remote| add_remote(remote) }
      end

      def add_remote(address)
        address = address.to_s
        address += "/" unless address.end_with?("/")
        raise ArgumentError, "The source must be an absolute URI. For example:\nsource 'https://rubygems.org'" unless address.match?(/\A[a-z][a-z0-9+.-]*:/i)
        require "uri"
        remote = URI(address)
        @remotes.unshift(remote) unless @remotes.include?(remote)
      end

      def caches = [Bundler.app_cache, *Bundler.rubygems.gem_cache]
      def options = { "remotes" => remotes.map(&:to_s) }
      def credless_remotes = remotes.map { |remote| bare(remote) }
      def hash = remotes.hash
      def eql?(other) = other.is_a?(Rubygems) && credless_remotes == other.credless_remotes
      alias == eql?
      def include?(other) = other.is_a?(Rubygems) && (other.credless_remotes - credless_remotes).empty?
      def can_lock?(spec) = multiple_remotes? ? include?(spec.source) : super
      def multiple_remotes? = remotes.size > 1
      def no_remotes? = remotes.empty?

      def to_s = "locally installed gems"
      def identifier = no_remotes? ? to_s : "rubygems repository #{credless_remotes.join(", ")}"
      alias name identifier
      def to_lock = ["GEM\n", *remotes.reverse.map { |remote| "  remote: #{bare(remote)}\n" }, "  specs:\n"].join

      def specs
        @specs ||= Index.build do |index|
          [*Gem.loaded_specs.values, *Bundler.rubygems.all_specs].each { |spec| index << spec if spec.name != "bundler" && index.search(spec).empty? }
        end
      end

      # A library that is there though no gem of its name is: what this engine has in its place, in whatever version, or what lies in the load path.
      def stand_in(dependency)
        known = specs.search(dependency.name).find(&:stand_in?)
        return known if known
        return unless specs.search(dependency.name).empty? && loadable?(dependency.name)
        operator, version = dependency.requirement.requirements.first
        Gem::Specification.new(dependency.name, operator == "!=" ? "0" : version.to_s) { |spec| spec.stand_in = dependency.name }
      end

      private

      # Without a password.
      def bare(remote) = remote.dup.tap { |copy| copy.userinfo = nil if copy.userinfo }.to_s
      def loadable?(name)
        [name, name.tr("-", "/")].any? { |feature| $LOAD_PATH.any? { |folder| File.file?(File.join(folder.to_s, "#{feature}.rb")) } }
      end
    end
  end
end
