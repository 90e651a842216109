# Bundler itself.
require "bundler/source"

module Bundler
  class Source
    class Metadata < Source
      def specs
        @specs ||= Index.build do |index|
          index << Gem::Specification.new("bundler", VERSION) do |spec|
            spec.source = self
            spec.license = "MIT"
            spec.authors = ["bundler team"]
            spec.homepage = "https://bundler.io"
            spec.summary = "The best way to manage your application's dependencies"
            spec.bindir = "exe"
            spec.executables = %w[bundle]
            spec.stand_in = "bundler"
          end
        end
      end

      def options = {}
      def to_s = "the local ruby installation"
      def hash = self.class.hash
      def eql?(other) = other.instance_of?(self.class)
      alias == eql?
      def version_message(spec, _locked = nil) = "#{spec.name} #{spec.version}"
    end
  end
end
