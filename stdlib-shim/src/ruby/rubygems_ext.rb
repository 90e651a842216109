# Extensions of gems, which are compiled C: none is built.
require "rubygems/exceptions"

module Gem
  module Ext
    class BuildError < InstallError; end

    class Builder
      attr_accessor :build_args

      def initialize(spec, build_args = spec.build_args)
        @spec, @build_args = spec, build_args
      end

      def build_extensions
        return if @spec.extensions.empty?
        raise BuildError, "#{@spec.full_name} has a compiled extension (#{@spec.extensions.first}), which cannot be built here: use a gem of pure Ruby, or do without it"
      end
    end
  end
end
