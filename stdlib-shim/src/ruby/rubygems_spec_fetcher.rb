# What servers of gems offer, asked as RubyGems' own library is.
require "rubygems/config_file"
require "rubygems/remote_fetcher"
require "rubygems/specification"
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
    def match_platform? = Platform.match(Platform.new(platform))
  end

  # A server that could not be asked.
  class SourceFetchProblem
    attr_reader :source, :error

    def initialize(source, error)
      @source, @error = source, error
    end
    def wordy = "Unable to download data from #{Uri.new(source.uri).redacted} - #{error.message}"
    alias exception error
  end

  class Source
    FILES = { released: "specs", latest: "latest_specs", prerelease: "prerelease_specs" }.freeze

    # The names of a list.
    def load_specs(type)
      NameTuple.from_list(Marshal.load(RemoteFetcher.fetcher.fetch_path(place("#{FILES.fetch(type)}.#{Gem.marshal_version}.gz"))))
    end
    # What was read once is not asked for again.
    def fetch_spec(tuple)
      @texts ||= {}
      Marshal.load(@texts[tuple.spec_name] ||= Util.inflate(RemoteFetcher.fetcher.fetch_path(place("#{MARSHAL_SPEC_DIR}#{tuple.spec_name}.rz"))))
    end
    def download(spec, dir = Dir.pwd) = RemoteFetcher.fetcher.download(spec, uri.to_s, dir)

    private

    def place(name) = URI.parse("#{uri.to_s.chomp("/")}/#{name}")
  end

  class SpecFetcher
    include Text

    class << self
      attr_writer :fetcher

      def fetcher = @fetcher ||= new
    end

    # Which lists are one kind of list.
    KINDS = { latest: %i[latest], released: %i[released], prerelease: %i[prerelease], complete: %i[prerelease released], abs_latest: %i[prerelease latest] }.freeze
    private_constant :KINDS

    # The sources of the configuration if none are given.
    def initialize(sources = nil)
      @sources = sources && SourceList.from(sources)
      @lists, @remotes = {}, {}
    end
    def sources = @sources || Gem.sources

    # Pairs of name and source, of the names that the block wants.
    def detect(type = :complete)
      available_specs(type).first.flat_map { |source, tuples| tuples.select { |tuple| yield tuple }.map { |tuple| [tuple, source] } }
    end

    # Names by their source, and the sources that failed.
    def available_specs(type)
      kinds = KINDS.fetch(type) { raise Exception, "Unknown type - :#{type}" }
      found, errors = {}, []
      sources.each_source do |source|
        names = kinds.flat_map { |kind| tuples_for(source, kind, kinds.size > 1 && kind == :prerelease) }
        found[source] = kinds.size > 1 ? names.sort : names
      rescue RemoteFetcher::FetchError => error
        errors << SourceFetchProblem.new(source, error)
      end
      [found, errors]
    end

    def tuples_for(source, type, gracefully_ignore = false)
      @lists[[source.uri.to_s, type]] ||= source.load_specs(type).sort_by(&:name)
    rescue RemoteFetcher::FetchError
      raise unless gracefully_ignore
      []
    end

    # Names that hold a name, or are written in a similar way.
    def suggest_gems_from_name(gem_name, type = :latest, num_results = 5)
      wanted = gem_name.downcase.tr("_-", "")
      names = available_specs(type).first.values.flatten.select(&:match_platform?).map(&:name)
      plain = ->(name) { name.downcase.tr("_-", "") }
      ranked = names.select { |name| plain[name].include?(wanted) }.map { |name| [name, 0] }
      if ranked.size < num_results
        near = names.map { |name| [name, levenshtein_distance(wanted, plain[name])] }.select { |_, distance| distance < wanted.size / 2 }
        same = near.find { |_, distance| distance.zero? } and return [same.first]
        ranked.concat(near)
      end
      return suggest_gems_from_name(gem_name, :prerelease) if ranked.empty? && type != :prerelease
      ranked.uniq.sort_by(&:last).map(&:first).uniq.first(num_results)
    end

    # Pairs of a name and its source, and the sources that could not be asked.
    def search_for_dependency(dependency, _matching_platform = true)
      found, errors = [], []
      sources.each_source do |source|
        found.concat(remote(source).matching(dependency).map { |offer| [NameTuple.new(offer.name, offer.version), source] })
      rescue RemoteFetcher::FetchError => error
        errors << SourceFetchProblem.new(source, error)
      end
      [found.sort_by(&:first), errors]
    end

    # Pairs of a specification and its source, and the sources that failed. A block chooses of the pairs of names and sources.
    def spec_for_dependency(dependency, matching_platform = true)
      tuples, errors = search_for_dependency(dependency, matching_platform)
      tuples = yield(tuples) if block_given?
      found = tuples.filter_map do |tuple, source|
        [source.fetch_spec(tuple), source]
      rescue RemoteFetcher::FetchError => error
        errors << SourceFetchProblem.new(source, error)
        nil
      end
      [found, errors]
    end

    private

    # What a server has told of one gem is not asked again for the next one.
    def remote(source) = @remotes[source.uri.to_s] ||= Remote.new([source.uri.to_s]) { |address| read(address) }

    # The body of an address; nil where there is none.
    def read(address)
      RemoteFetcher.fetcher.fetch_bytes(address)
    rescue RemoteFetcher::FetchError => error
      raise unless error.code == "404"
    end
  end
end
