# Reads gemspecs.
module Bundler
  class << self
    def load_gemspec(file, validate = false)
      @gemspec_cache ||= {}
      (@gemspec_cache[File.expand_path(file)] ||= load_gemspec_uncached(file, validate))&.dup
    end

    def load_gemspec_uncached(file, validate = false)
      path = Pathname.new(file)
      contents = read_file(path)
      spec = contents.start_with?("---") ? yaml_gemspec(path, contents) : SharedHelpers.chdir(path.dirname.to_s) { ruby_gemspec(path, contents) }
      return unless spec
      spec.loaded_from = path.expand_path.to_s
      rubygems.validate(spec) if validate
      spec
    end

    def clear_gemspec_cache = @gemspec_cache = {}

    private

    def yaml_gemspec(path, contents)
      Gem::Specification.from_yaml(contents)
    rescue StandardError
      ruby_gemspec(path, contents)
    end

    def ruby_gemspec(path, contents)
      eval(contents, TOPLEVEL_BINDING.dup, path.expand_path.to_s)
    rescue ScriptError, StandardError => error
      raise GemspecError, Dsl::DSLError.new("There was an error while loading `#{path.basename}`: #{error.message}", path, error.backtrace, contents)
    end
  end
end
