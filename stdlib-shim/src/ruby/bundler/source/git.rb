# Gems of git repositories: only what was checked out before can be used.
require "bundler/source/path"

module Bundler
  class Source
    class Git < Path
      attr_reader :uri, :ref, :branch, :glob, :submodules

      def self.from_lock(options) = new(options.reject { |key, _| key == "remote" }.merge("uri" => options["remote"]))

      def initialize(options)
        @options = options.dup
        %w[ref branch tag revision].each { |key| @options[key] = @options[key].to_s if @options[key] }
        @uri = @options["uri"] || ""
        @glob = @options["glob"] || DEFAULT_GLOB
        @branch, @submodules, @name = @options.values_at("branch", "submodules", "name")
        @ref = %w[ref branch tag].filter_map { |key| @options[key] }.first
        @version = @options["version"].to_s.strip.gsub("-", ".pre.")
      end

      def name = File.basename(uri, ".git")
      def hash = identity.hash
      def eql?(other) = other.is_a?(Git) && identity == other.identity
      alias == eql?
      def identity = [uri, ref, branch, @name, version, glob, submodules]
      def local? = !@local.nil?
      def allow_git_ops? = false
      def extension_dir_name = "#{base_name}-#{revision[0, 12]}"
      def app_cache_dirname = extension_dir_name
      def root_path = Bundler.root

      def to_lock
        details = %w[ref branch tag submodules].filter_map { |key| "  #{key}: #{options[key]}\n" if options[key] }
        "GIT\n  remote: #{uri}\n  revision: #{revision}\n#{details.join}#{glob_line}  specs:\n"
      end

      def to_s
        at = options["ref"]&.then { |given| given.match?(/\A[a-z0-9]{4,}\z/i) ? given[0..6] : given } || ref || "HEAD"
        details = [("at #{at}@#{options["revision"][0..6]}" if options["revision"]), ("glob: #{@glob}" unless @glob == DEFAULT_GLOB)].compact
        "#{safe_uri}#{" (#{details.join(", ")})" if details.any?}"
      end

      def revision = options["revision"] || raise(not_there)
      def install_path = @local || Bundler.install_path.join(extension_dir_name)
      alias path install_path
      def expanded_path = install_path.expand_path(root_path)
      def expanded_original_path = expanded_path

      # A working copy in place of the checkout.
      def local_override!(folder)
        @local = Pathname.new(folder).expand_path(root_path)
        raise GitError, "Cannot use local override for #{name} because #{@local} does not exist" unless @local.exist?
        false
      end

      def specs
        raise not_there unless expanded_path.directory?
        super
      end
      alias local_specs specs

      private

      def base_name = File.basename(uri.sub(%r{\A(\w+://)?([^/:]+:)?(//\w*/)?(\w*/)*}, ""), ".git")
      # Without a password.
      def safe_uri = uri.sub(%r{\A(https?://)([^/@:]*):([^/@]*)@}) { %w[x-oauth-basic x].include?($3) ? "#{$1}#{$3}@" : "#{$1}#{$2}@" }
      def not_there
        GitError.new("The git source #{safe_uri} is not yet checked out. Please run `bundle install` before trying to start your application")
      end
    end
  end
end
