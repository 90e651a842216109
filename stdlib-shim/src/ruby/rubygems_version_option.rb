# Options of commands for versions and platforms.
require "rubygems"
require "rubygems/optparse"

module Gem
  module VersionOption
    def add_platform_option(task = command, *wrap)
      OptionParser.accept(Platform) { |value| value == Platform::RUBY ? value : Platform.new(value) }
      add_option("--platform PLATFORM", Platform, "Specify the platform of gem to #{task}", *wrap) do |value, options|
        # the first one takes the place of what this machine is
        Gem.platforms = [Platform::RUBY] unless options[:added_platform]
        options[:added_platform] = true
        Gem.platforms |= [value]
      end
    end

    def add_prerelease_option(*wrap)
      add_option("--[no-]prerelease", "Allow prerelease versions of a gem", *wrap) do |value, options|
        options.update(prerelease: value, explicit_prerelease: true)
      end
    end

    # Given more than once, all conditions count. One that names a prerelease allows them, unless an option has told.
    def add_version_option(task = command, *wrap)
      OptionParser.accept(Requirement) { |value| Requirement.new(*value.split(/\s*,\s*/)) }
      add_option("-v", "--version VERSION", Requirement, "Specify version of gem to #{task}", *wrap) do |value, options|
        if options[:version].nil? || options[:version].none?
          options[:version] = value
        else
          options[:version].concat([value])
        end
        options[:explicit_prerelease] = false if options[:explicit_prerelease].nil?
        options[:prerelease] = value.prerelease? unless options[:explicit_prerelease]
      end
    end

    def get_platform_from_requirements(requirements)
      Gem.platforms[1].to_s if requirements.key?(:added_platform)
    end
  end
end
