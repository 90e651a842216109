# Rake tasks that build a gem, install it and publish it.
require "bundler"
require "shellwords"

module Bundler
  class GemHelper
    include Rake::DSL if defined?(Rake::DSL)
    attr_reader :spec_path, :base, :gemspec
    attr_writer :tag_prefix

    class << self
      attr_accessor :instance

      def install_tasks(options = {}) = new(options[:dir], options[:name]).install
      def tag_prefix=(prefix)
        instance.tag_prefix = prefix
      end
      def gemspec
        yield instance.gemspec if block_given?
        instance.gemspec
      end
    end

    def initialize(base = nil, name = nil)
      @base = File.expand_path(base || SharedHelpers.pwd)
      found = name ? ["#{name}.gemspec"] : Dir.glob("{,*}.gemspec", base: @base)
      raise "Unable to determine name from existing gemspec. Use :name => 'gemname' in #install_tasks to manually set it." unless found.one?
      @spec_path = File.join(@base, found.first)
      @gemspec = Bundler.load_gemspec(spec_path)
      @tag_prefix = ""
    end

    def install
      define_build_tasks
      define_release_tasks
      GemHelper.instance = self
    end

    def build_gem
      file = nil
      sh([*gem_command, "build", "-V", spec_path]) do
        file = File.basename(built_gem_path)
        SharedHelpers.filesystem_access(File.join(base, "pkg")) { |folder| FileUtils.mkdir_p(folder) }
        FileUtils.mv(built_gem_path, "pkg")
        Bundler.ui.confirm "#{name} #{version} built to pkg/#{file}."
      end
      File.join(base, "pkg", file)
    end

    def install_gem(path = nil, local = false)
      sh([*gem_command, "install", (path || build_gem).to_s, *("--local" if local)])
      Bundler.ui.confirm "#{name} (#{version}) installed."
    end

    def build_checksum(path = nil)
      path ||= build_gem
      require "digest/sha2"
      file = "#{File.basename(path)}.sha512"
      SharedHelpers.filesystem_access(File.join(base, "checksums")) { |folder| FileUtils.mkdir_p(folder) }
      File.write(File.join(base, "checksums", file), "#{::Digest::SHA512.file(path).hexdigest}\n")
      Bundler.ui.confirm "#{name} #{version} checksum written to checksums/#{file}."
    end

    protected

    def define_build_tasks
      desc "Build #{name}-#{version}.gem into the pkg directory."
      task("build") { @built = build_gem }
      desc "Generate SHA512 checksum if #{name}-#{version}.gem into the checksums directory."
      task("build:checksum" => "build") { build_checksum(@built) }
      desc "Build and install #{name}-#{version}.gem into system gems."
      task("install" => "build") { install_gem(@built) }
      desc "Build and install #{name}-#{version}.gem into system gems without network access."
      task("install:local" => "build") { install_gem(@built, :local) }
    end

    def define_release_tasks
      desc "Create tag #{version_tag} and build and push #{name}-#{version}.gem to #{gem_push_host}\nTo prevent publishing in RubyGems use `gem_push=no rake release`"
      task("release", [:remote] => %w[build release:guard_clean release:source_control_push release:rubygem_push]) {}
      task("release:guard_clean") { guard_clean }
      task("release:source_control_push", [:remote]) { |_, arguments| tag_version { git_push(arguments[:remote]) } unless already_tagged? }
      task("release:rubygem_push" => "build") { rubygem_push(@built) if gem_push? }
    end

    def name = gemspec.name
    def version = gemspec.version
    def version_tag = "#{@tag_prefix}v#{version}"
    def built_gem_path = Dir.glob("#{name}-*.gem", base: base).map { |file| File.expand_path(file, base) }.max_by { |file| File.mtime(file) }
    def gem_command = ENV["GEM_COMMAND"]&.shellsplit || ["gem"]
    def gem_key = Bundler.settings["gem.push_key"]&.downcase
    def gem_push? = !%w[n no nil false off 0].include?(ENV["gem_push"].to_s.downcase)
    def allowed_push_host = gemspec.metadata["allowed_push_host"]
    def gem_push_host = allowed_push_host || [ENV["RUBYGEMS_HOST"].to_s, "rubygems.org"].find { |host| !host.empty? }

    def rubygem_push(path)
      sh_with_input([*gem_command, "push", path, *(["--key", gem_key] if gem_key), *(["--host", allowed_push_host] if allowed_push_host)])
      Bundler.ui.confirm "Pushed #{name} #{version} to #{gem_push_host}"
    end

    def git_push(remote = nil)
      remote ||= default_remote
      ["heads/#{current_branch}", "tags/#{version_tag}"].each { |ref| sh("git push #{remote} refs/#{ref}".shellsplit) }
      Bundler.ui.confirm "Pushed git commits and release tag."
    end
    def current_branch = sh(%w[git rev-parse --abbrev-ref HEAD]).delete_prefix("heads/").strip
    def default_remote
      remote, status = sh_with_status(%W[git config --get branch.#{current_branch}.remote])
      status.success? ? remote.strip : "origin"
    end

    def already_tagged?
      return false unless sh(%w[git tag]).lines(chomp: true).include?(version_tag)
      Bundler.ui.confirm "Tag #{version_tag} has already been created."
      true
    end
    def guard_clean = (clean? && committed?) || raise("There are files that need to be committed first.")
    def clean? = sh_with_status(%w[git diff --exit-code]).last.success?
    def committed? = sh_with_status(%w[git diff-index --quiet --cached HEAD]).last.success?

    # The tag goes again where what follows fails.
    def tag_version
      sh(["git", "tag", "-m", "Version #{version}", version_tag])
      Bundler.ui.confirm "Tagged #{version_tag}."
      yield if block_given?
    rescue RuntimeError
      Bundler.ui.error "Untagging #{version_tag} due to error."
      sh_with_status(["git", "tag", "-d", version_tag])
      raise
    end

    def sh(command, &block)
      output, status = sh_with_status(command, &block)
      status.success? ? output : raise("Running `#{command.shelljoin}` failed with the following output:\n\n#{output}\n")
    end
    def sh_with_status(command)
      Bundler.ui.debug(command)
      SharedHelpers.chdir(base) do
        output = IO.popen(command, err: %i[child out], &:read)
        status = $?
        yield output if block_given? && status.success?
        [output, status]
      end
    end
    def sh_with_input(command)
      Bundler.ui.debug(command)
      SharedHelpers.chdir(base) { abort unless Kernel.system(*command) }
    end
  end
end
