# Extensions of gems, which are compiled C: none is built.
require "rubygems/exceptions"

module Gem
  module Ext
    class BuildError < InstallError; end

    class Builder
      def initialize(spec, build_args = spec.build_args)
        @spec, @build_args = spec, build_args
      end

      def build_extensions
        raise ExtensionError, @spec unless @spec.extensions.empty?
      end
    end
  end
end
