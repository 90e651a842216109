# `gem list`: the gems that are installed, or those of servers.
require "rubygems/command"
require "rubygems/query_utils"

module Gem
  module Commands
    class ListCommand < Command
      include QueryUtils

      def initialize
        super("list", "Display local gems whose name matches REGEXP",
              domain: :local, details: false, versions: true, installed: nil, version: Requirement.default)
        add_query_options
      end

      def arguments = "REGEXP        regexp to look for in gem name"
      def defaults_str = "--local --no-details"
      def usage = "#{program_name} [REGEXP ...]"
      def description
        <<~TEXT
          Shows names and versions of the gems whose names match; with --details
          also what they say of themselves, with --remote those of servers.
        TEXT
      end
    end
  end
end
