# `gem outdated`: gems of which servers have newer versions.
require "rubygems/command"
require "rubygems/local_remote_options"
require "rubygems/spec_fetcher"
require "rubygems/version_option"

module Gem
  module Commands
    class OutdatedCommand < Command
      include LocalRemoteOptions
      include VersionOption

      def initialize
        super("outdated", "Display all gems that need updates")
        add_local_remote_options
        add_platform_option
      end

      def description
        <<~TEXT
          Lists the installed gems of which a server has a newer version.
        TEXT
      end
      def execute = Specification.outdated_and_latest_version { |spec, newest| say("#{spec.name} (#{spec.version} < #{newest})") }
    end
  end
end
