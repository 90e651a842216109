# A task of Rake that builds the file of a gem.
require "rubygems/package"
require "rake/packagetask"

module Gem
  class PackageTask < Rake::PackageTask
    attr_accessor :gem_spec

    def initialize(gem_spec)
      init(gem_spec)
      return unless block_given?
      yield self
      define
    end

    def init(gem)
      super(gem.full_name, :noversion)
      @gem_spec = gem
      @package_files += gem.files if gem.files
      @fileutils_output = $stdout
    end

    def define
      super
      name = gem_spec.file_name
      path, folder = [name, gem_spec.full_name].map { |each| File.join(package_dir, each) }
      task(package: [:gem])
      directory(package_dir)
      directory(folder)
      desc("Build the gem file #{name}")
      task(gem: [path])
      trace = Rake.application.options.trace
      Gem.configuration.verbose = trace
      file(path => [package_dir, folder, *gem_spec.files]) do
        chdir(folder) do
          when_writing("Creating #{name}") do
            Package.build(gem_spec)
            verbose(trace) { mv(name, "..") }
          end
        end
      end
    end
  end
end
