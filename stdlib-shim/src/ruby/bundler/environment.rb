# The environment that programs are started in: with the bundle, as it was before, or without any trace of it.
module Bundler
  class << self
    def original_env = ORIGINAL_ENV.dup

    def unbundled_env
      env = original_env
      env["MANPATH"] = env["BUNDLER_ORIG_MANPATH"] if env.key?("BUNDLER_ORIG_MANPATH")
      env.delete_if { |key, _| key.start_with?("BUNDLE_") }
      env["RUBYOPT"] = env["RUBYOPT"].split.reject { |word| word.match?(%r{\A-r(?:/.*/)?bundler/setup\z}) }.join(" ") if env.key?("RUBYOPT")
      env
    end

    def with_original_env(&block) = with_env(original_env, &block)
    def with_unbundled_env(&block) = with_env(unbundled_env, &block)
    def original_system(*arguments) = with_original_env { Kernel.system(*arguments) }
    def unbundled_system(*arguments) = with_unbundled_env { Kernel.system(*arguments) }
    def original_exec(*arguments) = with_original_env { Kernel.exec(*arguments) }
    def unbundled_exec(*arguments) = with_unbundled_env { Kernel.exec(*arguments) }

    # The old names.
    WANTED = {
      "clean_env" => "If you instead want the environment before bundler was originally loaded, use `Bundler.original_env`",
      "with_clean_env" => "If you instead want the environment before bundler was originally loaded, use `Bundler.with_original_env`",
      "clean_system" => "If you instead want to run the command in the environment before bundler was originally loaded, use `Bundler.original_system`",
      "clean_exec" => "If you instead want to exec to a command in the environment before bundler was originally loaded, use `Bundler.original_exec`"
    }.freeze
    private_constant :WANTED
    WANTED.each do |name, advice|
      better = name.sub("clean", "unbundled")
      define_method(name) do |*arguments, &block|
        SharedHelpers.major_deprecation(2, "`Bundler.#{name}` has been deprecated in favor of `Bundler.#{better}`. #{advice}", print_caller_location: true)
        __send__(better, *arguments, &block)
      end
    end

    # Where a command is.
    def which(command)
      return command if File.file?(command) && File.executable?(command)
      folders = ENV["PATH"].to_s.split(File::PATH_SEPARATOR).map { |folder| folder[/\A"(.*)"\z/, 1] || folder }
      folders.map { |folder| File.expand_path(command, folder) }.find { |path| File.file?(path) && File.executable?(path) }
    end
    def git_present? = which("git")

    private

    def with_env(env)
      before = ENV.to_hash
      ENV.replace(env)
      yield
    ensure
      ENV.replace(before)
    end
  end
end
