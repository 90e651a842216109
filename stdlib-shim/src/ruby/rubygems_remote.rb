# Gems from servers: what there is, by the compact index (`/info/NAME`) or the classic one (`/specs.4.8.gz`), and how a gem of pure Ruby comes from there with what it needs.
require "rubygems"
require "rubygems/package"

module Gem
  class Remote
    # A version that a server offers.
    Offer = Struct.new(:name, :version, :source, :needs, :checksum, :ruby) do
      def file_name = "#{name}-#{version}.gem"
      def fits_ruby? = ruby.nil? || Requirement.new(*ruby.split("&")).satisfied_by?(Version.new(RUBY_VERSION))
    end

    # The block gets an address and gives its body, nil where there is none.
    def initialize(sources, &fetch)
      @sources, @fetch = sources.map { |source| source.chomp("/") }, fetch
      @offers = {}
    end

    # The newest version that fits, of a release unless the requirement names a prerelease; nil where there is none.
    def newest(dependency) = matching(dependency).max_by(&:version)

    # All that fit in this way.
    def matching(dependency)
      found = offers(dependency.name).select { |offer| dependency.requirement.satisfied_by?(offer.version) && offer.fits_ruby? }
      dependency.requirement.prerelease? ? found : found.reject { |offer| offer.version.prerelease? }
    end

    # Installs a gem below `home`, after what it needs. Gives the names of what was installed.
    def install(dependency, home, chain = [])
      offer = newest(dependency) or raise GemNotFoundException, "Could not find a valid gem '#{dependency.name}' (#{dependency.requirement}) in #{@sources.map { |source| shown(source) }.join(", ")}"
      body = @fetch.call("#{offer.source}/gems/#{offer.file_name}") or raise GemNotFoundException, "#{shown(offer.source)} has no #{offer.file_name}"
      require "digest"
      raise InstallError, "the checksum of #{offer.file_name} is not the one of the index" if offer.checksum && Digest::SHA256.hexdigest(body) != offer.checksum

      require "tempfile"
      Tempfile.create(["rchef", ".gem"]) do |file|
        file.binmode
        file.write(body)
        file.flush
        install_file(file.path, home, chain)
      end
    end

    # The same of a `.gem` file.
    def install_file(path, home, chain = [])
      package = Package.new(path)
      spec = package.spec
      raise InstallError, ExtensionError.new(spec).message unless spec.extensions.empty?
      raise InstallError, "gem dependencies turn in a circle: #{[*chain, spec.name].join(" -> ")}" if chain.include?(spec.name)

      needed = spec.runtime_dependencies.reject { |dependency| Remote.installed?(dependency) }
      names = needed.flat_map { |dependency| install(dependency, home, [*chain, spec.name]) }
      package.unpack(home)
      Gem.refresh
      [*names, spec.full_name]
    end

    # Whether a gem is there, or a library of rchef that is in its place.
    def self.installed?(dependency) = !Specification.find_all_by_name(dependency.name, dependency.requirement).empty?

    # The newest installed version that fits, else the newest at all, as text; nil without any.
    def self.current(dependency)
      fitting = Specification.find_all_by_name(dependency.name, dependency.requirement)
      fitting = Specification.find_all_by_name(dependency.name) if fitting.empty?
      fitting.max_by(&:version)&.version&.to_s
    end

    # Removes what is installed below `home`: one version, or all.
    def self.uninstall(name, version, home)
      require "fileutils"
      Specification.find_all_by_name(name, *version).each do |spec|
        gem, described = File.join(home, "gems", spec.full_name), File.join(home, "specifications", "#{spec.full_name}.gemspec")
        raise InstallError, "#{spec.full_name} is not below #{home}, so it is not removed" unless File.file?(described)

        FileUtils.rm_rf(gem)
        File.unlink(described)
      end
      Gem.refresh
    end

    private

    # An address without its credentials.
    def shown(source) = Uri.new(source).redacted

    def offers(name)
      raise InstallError, "#{name.inspect} is no name of a gem" unless name.match?(/\A[A-Za-z0-9_][\w.\-]*\z/)

      @offers[name] ||= @sources.flat_map do |source|
        info = @fetch.call("#{source}/info/#{name}")
        next info.each_line.filter_map { |line| offer(name, source, line.chomp) } if info
        compact?(source) ? [] : classic(source, name)
      end
    end

    # Whether a source has the compact index: then a name that it does not list is no gem of it.
    def compact?(source)
      @compact ||= {}
      @compact.fetch(source) { @compact[source] = !@fetch.call("#{source}/names").nil? }
    end

    # What a source offers that has no compact index, as `gem generate_index` of old and simple servers makes it: lists of `[name, version, platform]`.
    # What a gem needs is read from its file.
    def classic(source, name)
      @lists ||= Hash.new { |lists, at| lists[at] = %w[specs prerelease_specs].flat_map { |list| specs(at, list) } }
      @lists[source].filter_map do |known, version, platform|
        Offer.new(name, version, source, {}, nil, nil) if known == name && platform == "ruby"
      end
    end

    def specs(source, list)
      packed = @fetch.call("#{source}/#{list}.4.8.gz") or return []
      require "zlib"
      found = Marshal.load(Zlib.gunzip(packed))
      raise InstallError, "#{shown(source)}/#{list}.4.8.gz is no list of gems" unless found.is_a?(Array)

      found
    end

    # `VERSION[-PLATFORM] NEEDS|checksum:SUM,ruby:REQUIREMENTS`; needs are `NAME:REQUIREMENT&REQUIREMENT`, separated by commas.
    def offer(name, source, line)
      version, rest = line.split(" ", 2)
      # what is built for a platform holds compiled code
      return if version.nil? || version.include?("-") || !Version.correct?(version)

      needs, conditions = rest.to_s.split("|", 2)
      conditions = conditions.to_s.split(",").to_h { |part| part.split(":", 2) }
      needs = needs.to_s.split(",").to_h { |need| need.split(":", 2) }
      Offer.new(name, Version.new(version), source, needs, conditions["checksum"], conditions["ruby"])
    end
  end
end
