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
          The list command is used to view the gems you have installed locally.

          The --details option displays additional details including the summary, the
          homepage, the author, the locations of different versions of the gem.

          To search for remote gems use the search command.
        TEXT
      end
    end
  end
end
