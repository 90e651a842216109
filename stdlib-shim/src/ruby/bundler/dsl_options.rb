# What may be said of a gem in a Gemfile, and what it comes to.
module Bundler
  class Dsl
    module Options
      private

      def normalize_hash(options) = options.transform_keys(&:to_s)

      # Makes of the options what a dependency is made with.
      def normalize_options(name, versions, options)
        check_name(name)
        options.transform_keys!(&:to_s)
        validate_keys("gem '#{name}'", options, Dsl::VALID_KEYS + @git_sources.keys)
        groups = @groups + Array(options.delete("groups") || options["group"])
        conditions = @install_conditionals + Array(options.delete("install_if"))
        platforms = (@platforms + Array(options["platform"] || options["platforms"])).map(&:to_sym)
        platforms.each { |each| check_platform(each) }
        take_source(name, versions, options)
        options["source"] ||= @source
        options["env"] ||= @env
        options["group"] = groups.empty? ? [:default] : groups
        options["platforms"] = platforms
        options["should_include"] = conditions.inject(true) { |all, each| all && (each.respond_to?(:call) ? each.call : each) }
      end

      def check_name(name)
        raise GemfileError, %(You need to specify gem names as Strings. Use 'gem "#{name}"' instead) if name.is_a?(Symbol)
        raise GemfileError, "'#{name}' is not a valid gem name because it contains whitespace" if name.match?(/\s/)
        raise GemfileError, "an empty gem name is not valid" if name.empty?
      end

      def check_platform(name)
        return if Dsl::VALID_PLATFORMS.include?(name)
        raise GemfileError, "`#{name}` is not a valid platform. The available options are: #{Dsl::VALID_PLATFORMS.inspect}"
      end

      # Where the gem alone is to come from: a server, a repository, a folder.
      def take_source(name, versions, options)
        options["source"] = @sources.add_rubygems_source("remotes" => normalize_source(options["source"])) if options.key?("source")
        add_git_address(options)
        %w[git path].each do |kind|
          next unless options[kind]
          exact = versions.first.to_s[/\A\s*=?\s*(\d\S*)\s*\z/, 1]
          details = exact ? options.merge("name" => name, "version" => exact) : options.dup
          options["source"] = __send__(kind, options[kind], details) {}
        end
      end

      # `github: "x/y"` and the like stand for an address.
      def add_git_address(options)
        short = (@git_sources.keys & options.keys).last or return
        made = @git_sources[short].call(options[short])
        made = { "git" => made } if made.is_a?(String)
        twice = made.keys.find { |key| options.key?(key) }
        raise GemfileError, %(The :#{twice} option can't be used with `#{short}: #{options[short].inspect}`) if twice
        options.merge!(made)
      end

      def github_address(name)
        pull = Dsl::GITHUB_PULL_REQUEST_URL.match(name)
        return { "git" => "https://github.com/#{pull[1]}.git", "branch" => "refs/pull/#{pull[2]}/head", "ref" => nil, "tag" => nil } if pull
        "https://github.com/#{name.include?("/") ? name : "#{name}/#{name}"}.git"
      end

      def validate_keys(command, options, valid)
        if options["branch"] && !options["git"] && (options.keys & @git_sources.keys).empty?
          raise GemfileError, "The `branch` option for `#{command}` is not allowed. Only gems with a git source can specify a branch"
        end
        wrong = options.keys - valid
        return true if wrong.empty?
        names = wrong.map { |key| ":#{key}" }.join(", ")
        complaint = wrong.one? ? "as an option for #{command}, but it is invalid." : "as options for #{command}, but they are invalid."
        raise InvalidOption, "You passed #{names} #{complaint} Valid options are: #{valid.join(", ")}. You may be able to resolve this by upgrading Bundler to the newest version."
      end

      def normalize_source(source)
        case source
        when String then source
        when :gemcutter, :rubygems, :rubyforge
          SharedHelpers.major_deprecation(2, "The source :#{source} is deprecated because HTTP requests are insecure.\nPlease change your source to 'https://rubygems.org' if possible, or 'http://rubygems.org' if not.")
          "http://rubygems.org"
        else raise GemfileError, "Unknown source '#{source}'"
        end
      end
    end
  end
end
