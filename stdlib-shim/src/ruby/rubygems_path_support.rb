# The folders of gems that an environment names.
module Gem
  class PathSupport
    attr_reader :home, :path, :spec_cache_dir

    def initialize(env)
      @home = expand(env["GEM_HOME"] || Gem.default_dir)
      given = env["GEM_PATH"]
      # a separator at the end stands for what is there without the variable
      further = given.nil? || given.end_with?(Gem.path_separator) ? Gem.default_path : []
      @path = [*given.to_s.split(Gem.path_separator), *further, @home].map { |folder| expand(folder) }.uniq
      @spec_cache_dir = env["GEM_SPEC_CACHE"] || File.join(@home, "specs")
    end

    private

    def expand(folder) = File.directory?(folder) ? File.realpath(folder) : folder
  end
end
