# The line of a Gemfile that names the Ruby it is for.
module Bundler
  module RubyDsl
    def ruby(*versions)
      options = versions.last.is_a?(Hash) ? versions.pop : {}
      versions.flatten!
      engine, version = options.values_at(:engine, :engine_version)
      raise GemfileError, "Please define :engine_version" if engine && version.nil?
      raise GemfileError, "Please define :engine" if version && engine.nil?
      raise GemfileEvalError, "ruby_version must match the :engine_version for MRI" if engine == "ruby" && version && versions != Array(version)
      @ruby_version = RubyVersion.new(versions, options[:patchlevel], engine, version)
    end
  end
end
