# The language of a Gemfile.
require "bundler/dependency"
require "bundler/ruby_dsl"
require "bundler/dsl_options"
require "bundler/dsl_error"

module Bundler
  class Dsl
    include RubyDsl
    include Options
    VALID_PLATFORMS = Dependency::PLATFORM_MAP.keys.freeze
    VALID_KEYS = %w[group groups git path glob name branch ref tag require submodules platform platforms type source install_if gemfile].freeze
    GITHUB_PULL_REQUEST_URL = %r{\Ahttps://github\.com/([\w.-]+/[\w.-]+)/pull/(\d+)\z}
    attr_reader :gemspecs
    attr_accessor :dependencies

    def self.evaluate(gemfile, lockfile, unlock)
      dsl = new
      dsl.eval_gemfile(gemfile)
      dsl.to_definition(lockfile, unlock)
    end

    def initialize
      @sources, @git_sources = SourceList.new, {}
      @dependencies, @gemspecs, @gemfiles = [], [], []
      @groups, @optional_groups, @platforms, @install_conditionals = [], [], [], []
      @source = @env = @ruby_version = @gemfile = nil
      git_source(:github) { |name| github_address(name) }
      git_source(:gist) { |name| "https://gist.github.com/#{name}.git" }
      git_source(:bitbucket) do |name|
        user, repository = name.split("/")
        "https://#{user}@bitbucket.org/#{user}/#{repository || user}.git"
      end
    end

    def eval_gemfile(gemfile, contents = nil)
      before = @gemfile
      @gemfile = Pathname.new(gemfile).expand_path(before&.parent)
      @gemfiles << @gemfile
      contents ||= Bundler.read_file(@gemfile.to_s)
      instance_eval(contents.dup, gemfile.to_s, 1)
    rescue Exception => error
      doing = error.is_a?(GemfileEvalError) ? "evaluating" : "parsing"
      raise DSLError.new("There was an error #{doing} `#{File.basename(gemfile.to_s)}`: #{error.message}", gemfile, error.backtrace, contents)
    ensure
      @gemfile = before
    end

    # The gem that lies beside the Gemfile, with what its development needs.
    def gemspec(options = nil)
      options ||= {}
      path = options[:path] || "."
      folder = gemfile_root.join(path)
      known = Dir.glob("{,*}.gemspec", base: folder.to_s).sort.filter_map { |file| Bundler.load_gemspec(folder.join(file)) }
      known.select! { |spec| spec.name == options[:name] } if options[:name]
      raise InvalidOption, "There are no gemspecs at #{folder}" if known.empty?
      if known.uniq { |spec| [spec.name, spec.version] }.size > 1
        raise InvalidOption, "There are multiple gemspecs at #{folder}. Please use the :name option to specify which one should be used"
      end

      spec = known.find { |each| each.match_platform(Bundler.local_platform) } || known.first
      spec.full_gem_path = File.dirname(spec.loaded_from)
      @gemspecs << spec
      gem(spec.name, name: spec.name, path: path, glob: options[:glob])
      group(options[:development_group] || :development) do
        spec.development_dependencies.each { |needed| gem(needed.name, *needed.requirement.as_list, type: :development) }
      end
    end

    def gem(name, *arguments)
      options = arguments.last.is_a?(Hash) ? arguments.pop.dup : {}
      options["gemfile"] = @gemfile
      normalize_options(name, arguments, options)
      added = Dependency.new(name, arguments, options)
      current = @dependencies.find { |each| each.name == added.name }
      @dependencies << added if current.nil? || replaces?(current, added)
    end

    def source(address, options = {}, &block)
      address = normalize_source(address)
      kind = options[:type] || options["type"]
      raise InvalidOption, "No plugin sources available for #{kind}" if kind
      return @sources.add_global_rubygems_remote(address) unless block
      with_source(@sources.add_rubygems_source("remotes" => address), &block)
    end

    def git_source(name, &block)
      raise InvalidOption, "You need to pass a block to #git_source" unless block
      raise InvalidOption, "You cannot use #{name} as a git source. It is a reserved key. Reserved keys are: #{VALID_KEYS.join(", ")}" if VALID_KEYS.include?(name.to_s)
      @git_sources[name.to_s] = block
    end

    def path(path, options = {}, &block)
      options = normalize_hash(options)
      options = options.merge("path" => Pathname.new(path), "root_path" => gemfile_root, "gemspec" => gemspecs.find { |spec| spec.name == options["name"] })
      options["global"] = true unless block
      with_source(@sources.add_path_source(options), &block)
    end

    def git(uri, options = {}, &block)
      raise DeprecatedError, alone("git", "git://github.com/rails/rails.git", 2) unless block
      with_source(@sources.add_git_source(normalize_hash(options).merge("uri" => uri)), &block)
    end

    def github(repository, options = {}, &block)
      raise ArgumentError, "GitHub sources require a block" unless block
      address = @git_sources["github"].call(repository)
      git(address.is_a?(Hash) ? address["git"] : address, options, &block)
    end

    def group(*names, &block)
      options = names.last.is_a?(Hash) ? normalize_hash(names.pop) : {}
      validate_keys("group #{names.map { |name| ":#{name}" }.join(", ")}", options, %w[optional])
      @optional_groups |= names if options["optional"]
      within(@groups, names, &block)
    end
    def install_if(*conditions, &block) = within(@install_conditionals, conditions, &block)
    def platforms(*names, &block) = within(@platforms, names, &block)
    alias platform platforms

    def env(name)
      before, @env = @env, name
      yield
    ensure
      @env = before
    end

    # None are used.
    def plugin(*) = nil

    def to_definition(lockfile, unlock)
      check_primary_source_safety
      Definition.new(lockfile, @dependencies, @sources, unlock, @ruby_version, @optional_groups, @gemfiles)
    end

    def method_missing(name, *) = raise(GemfileError, "Undefined local variable or method `#{name}' for Gemfile")
    def respond_to_missing?(*) = false

    def check_primary_source_safety
      if @sources.global_path_source
        SharedHelpers.major_deprecation(2, alone("path", "dir/containing/rails", 4))
      end
      if @sources.implicit_global_source?
        SharedHelpers.major_deprecation(2, "This Gemfile does not include an explicit global source. Not using an explicit global source may result in a different lockfile being generated depending on the gems you have installed locally before bundler is run. Instead, define a global source in your Gemfile like this: source \"https://rubygems.org\".")
      elsif @sources.aggregate_global_source?
        SharedHelpers.major_deprecation(2, "Your Gemfile contains multiple primary sources. Using `source` more than once without a block is a security risk, and may result in installing unexpected gems. To resolve this warning, use a block to indicate which gems should come from the secondary source.")
      end
    end

    private

    # Why a source of this kind needs a block or a gem.
    def alone(kind, example, indent)
      <<~TEXT.chomp
        You can no longer specify a #{kind} source by itself. Instead,\s
        either use the :#{kind} option on a gem, or specify the gems that\s
        bundler should find in the #{kind} source by passing a block to\s
        the #{kind} method, like:\s

        #{" " * indent}#{kind} '#{example}' do
        #{" " * indent}  gem 'rails'
        #{" " * indent}end
      TEXT
    end

    def gemfile_root = (@gemfile ||= Bundler.default_gemfile).dirname

    # Values that hold for what the block says.
    def within(list, values)
      list.concat(values)
      yield
    ensure
      list.pop(values.size)
    end

    def with_source(source)
      before = @source
      if block_given?
        @source = source
        yield
      end
      source
    ensure
      @source = before
    end

    # Of a gem that is named twice: what a gemspec says of its development gives way, else both have to say the same.
    def replaces?(current, added)
      return !@dependencies.delete(current).nil? if current.type == :development
      same = current.requirement == added.requirement
      return false if added.type == :development && !(same && current.source == added.source)
      unless same
        raise GemfileError, "You cannot specify the same gem twice with different version requirements.\n" \
                            "You specified: #{current.name} (#{current.requirement}) and #{added.name} (#{added.requirement})"
      end
      unless current.source == added.source
        raise GemfileError, "You cannot specify the same gem twice coming from different sources.\n" \
                            "You specified that #{added.name} (#{added.requirement}) should come from #{current.source || "an unspecified source"} and #{added.source}\n"
      end
      Bundler.ui.warn "Your Gemfile lists the gem #{current.name} (#{current.requirement}) more than once.\nYou should probably keep only one of them.\n" \
                      "Remove any duplicate entries and specify the gem only once.\nWhile it's not a problem now, it could cause errors if you change the version of one of them later."
      true
    end
  end
end
