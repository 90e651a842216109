# What servers of gems offer, asked as RubyGems' own library is.
require "rubygems/remote"

module Gem
  # A gem's name, version and platform.
  class NameTuple
    include Comparable
    attr_reader :name, :version, :platform

    def self.from_list(list) = list.map { |each| new(*each) }
    def self.null = new(nil, Version.new(0), nil)

    def initialize(name, version, platform = "ruby")
      @name = name
      @version = version
      @platform = platform.to_s.empty? ? "ruby" : platform
    end

    def full_name = platform == "ruby" ? "#{name}-#{version}" : "#{name}-#{version}-#{platform}"
    def spec_name = "#{full_name}.gemspec"
    def prerelease? = version.prerelease?
    def to_a = [name, version, platform]
    def inspect = "#<Gem::NameTuple #{name}, #{version}, #{platform}>"
    alias to_s inspect
    def <=>(other) = [name, version, platform == "ruby" ? -1 : 1] <=> [other.name, other.version, other.platform == "ruby" ? -1 : 1]
    def ==(other) = other.is_a?(NameTuple) ? to_a == other.to_a : other.is_a?(Array) && to_a == other
    alias eql? ==
    def hash = to_a.hash
  end

  class SpecFetcher
    class << self
      attr_writer :fetcher

      def fetcher = @fetcher ||= new
    end

    def initialize(sources = ["https://rubygems.org"])
      @remote = Remote.new(sources) { |address| read(address) }
    end

    # Pairs of a NameTuple and the address of its server, and the errors of servers that could not be asked.
    def search_for_dependency(dependency, _matching_platform = true)
      [@remote.matching(dependency).map { |offer| [NameTuple.new(offer.name, offer.version), offer.source] }.sort_by(&:first), []]
    rescue SystemCallError, SocketError, Timeout::Error => error
      [[], [error]]
    end

    private

    # The body of an address; nil where there is none.
    def read(address)
      require "open-uri"
      URI.open(address, &:read)
    rescue OpenURI::HTTPError => error
      raise unless error.io.status.first == "404"
    end
  end
end
