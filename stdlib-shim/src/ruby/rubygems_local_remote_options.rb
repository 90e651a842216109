# Options of commands for where gems are looked for: here, or on servers.
require "rubygems"
require "rubygems/optparse"
require "rubygems/config_file"
require "uri"

module Gem
  module LocalRemoteOptions
    SCHEMES = %w[http https file s3].freeze
    private_constant :SCHEMES

    def accept_uri_http
      OptionParser.accept(URI::HTTP) do |value|
        begin
          scheme = URI.parse(value).scheme
        rescue URI::InvalidURIError
          raise OptionParser::InvalidArgument, value
        end
        raise ArgumentError, "Invalid uri scheme for #{value}\nPreface URLs with one of #{SCHEMES.map { |each| "#{each}://" }}" unless SCHEMES.include?(scheme)
        value
      end
    end

    def add_local_remote_options
      {
        local: ["-l", "--local", "Restrict operations to the LOCAL domain"], remote: ["-r", "--remote", "Restrict operations to the REMOTE domain"],
        both: ["-b", "--both", "Allow LOCAL and REMOTE operations"]
      }.each { |domain, words| add_option(:"Local/Remote", *words) { |_, options| options[:domain] = domain } }
      add_bulk_threshold_option
      add_clear_sources_option
      add_source_option
      add_proxy_option
      add_update_sources_option
    end

    def add_bulk_threshold_option
      default = "synchronization (default #{Gem.configuration.bulk_threshold})"
      add_option(:"Local/Remote", "-B", "--bulk-threshold COUNT", "Threshold for switching to bulk", default) do |value, _|
        Gem.configuration.bulk_threshold = value.to_i
      end
    end

    def add_clear_sources_option
      add_option(:"Local/Remote", "--clear-sources", "Clear the gem sources") do |_, options|
        Gem.sources = nil
        options[:sources_cleared] = true
      end
    end

    def add_proxy_option
      accept_uri_http
      add_option(:"Local/Remote", "-p", "--[no-]http-proxy [URL]", URI::HTTP, "Use HTTP proxy for remote operations") do |value, options|
        Gem.configuration[:http_proxy] = options[:http_proxy] = value == false ? :no_proxy : value
      end
    end

    # After `--clear-sources`, the first one is alone.
    def add_source_option
      accept_uri_http
      add_option(:"Local/Remote", "-s", "--source URL", URI::HTTP, "Append URL to list of remote gem sources") do |value, options|
        source = value.end_with?("/") ? value : "#{value}/"
        if options.delete(:sources_cleared)
          Gem.sources = [source]
        elsif !Gem.sources.include?(source)
          Gem.sources << source
        end
      end
    end

    def add_update_sources_option
      add_option(:Deprecated, "-u", "--[no-]update-sources", "Update local source cache") { |value, _| Gem.configuration.update_sources = value }
    end

    def both? = options[:domain] == :both
    def local? = %i[local both].include?(options[:domain])
    def remote? = %i[remote both].include?(options[:domain])
  end
end
