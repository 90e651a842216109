# The folders of a bundle and of its user.
module Bundler
  class << self
    def root
      @root ||= begin
        SharedHelpers.root
      rescue GemfileNotFound
        default_bundle_dir&.dirname || raise(GemfileNotFound, "Could not locate Gemfile or .bundle/ directory")
      end
    end

    def default_gemfile = SharedHelpers.default_gemfile
    def default_lockfile = SharedHelpers.default_lockfile
    def default_bundle_dir = SharedHelpers.default_bundle_dir
    def preferred_gemfile_name = settings[:init_gems_rb] ? "gems.rb" : "Gemfile"

    def configured_bundle_path = @configured_bundle_path ||= settings.path.tap(&:validate!)
    def use_system_gems? = configured_bundle_path.use_system_gems?
    def bundle_path = @bundle_path ||= Pathname.new(configured_bundle_path.path).expand_path(root)
    def create_bundle_path
      mkdir_p(bundle_path)
      @bundle_path = bundle_path.realpath
    end
    def home = bundle_path.join("bundler")
    def install_path = home.join("gems")
    def specs_path = bundle_path.join("specifications")
    def ruby_scope = "#{rubygems.ruby_engine}/#{RbConfig::CONFIG["ruby_version"]}"
    def system_bindir = settings[:system_bindir] || rubygems.gem_bindir
    def bin_path = @bin_path ||= Pathname.new(settings[:bin] || "bin").expand_path(root).tap { |path| mkdir_p(path) }
    def app_cache(folder = nil) = Pathname.new(folder || root).join(settings.app_cache_path)
    def app_config_path = ENV["BUNDLE_APP_CONFIG"] ? Pathname.new(ENV["BUNDLE_APP_CONFIG"]).expand_path(root) : root.join(".bundle")

    def user_home
      @user_home ||= begin
        home = rubygems.user_home
        problem = home.nil? ? "Your home directory is not set." : File.directory?(home) ? ("`#{home}` is not writable." unless home_usable?(home)) : "`#{home}` is not a directory."
        problem ? temporary_home(problem) : Pathname.new(home)
      end
    end

    def user_bundle_path(kind = "home")
      raise BundlerError, "Unknown user path requested: #{kind}" unless %w[home cache config plugin].include?(kind)
      Pathname.new(ENV.fetch("BUNDLE_USER_#{kind.upcase}") { kind == "home" ? user_home.join(".bundle") : user_bundle_path.join(kind) })
    end
    def user_cache = user_bundle_path("cache")

    def tmp(name = Process.pid.to_s)
      Kernel.require "tmpdir"
      Pathname.new(Dir.mktmpdir(["bundler", name]))
    end

    def mkdir_p(path, _options = {}) = SharedHelpers.filesystem_access(path) { |folder| FileUtils.mkdir_p(folder) }
    def rm_rf(path) = path && File.exist?(path) ? FileUtils.remove_entry_secure(path) : nil
    def read_file(file) = SharedHelpers.filesystem_access(file, :read) { |path| File.read(path, encoding: "UTF-8") }
    def load_marshal(data)
      Marshal.load(data)
    rescue TypeError => error
      raise MarshalError, "#{error.class}: #{error.message}"
    end

    private

    def home_usable?(home) = [home, File.join(home, ".bundle")].any? { |folder| File.directory?(folder) && File.writable?(folder) }
    def temporary_home(problem)
      path = tmp
      at_exit { rm_rf(path) }
      ui.warn "#{problem}\n"
      ui.warn "Bundler will use `#{path}' as your home directory temporarily.\n"
      path
    end
  end
end
