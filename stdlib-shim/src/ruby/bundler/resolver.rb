# Chooses of the gems that are there a version of each that all agree on.
module Bundler
  class Resolver
    # What is asked for, and the chain of gems by which.
    Wish = Struct.new(:dependency, :chain) do
      def name = dependency.name
    end

    # `locked` are gems that stay as they are where they can; with `lenient` any version will do, and what is missing is left out.
    def initialize(definition, locked, lenient: false)
      @definition, @locked, @lenient = definition, locked, lenient
      @missing = []
    end
    attr_reader :missing

    def resolve(dependencies)
      wishes = dependencies.reject { |each| each.name == "bundler" }.map { |each| Wish.new(each, []) }
      wishes.each { |wish| refuse(wish) if candidates(wish.dependency).empty? && !@lenient }
      Bundler.ui.info("Resolving dependencies...", false)
      chosen = solve(wishes, {}, [])
      Bundler.ui.info("")
      refuse_other_bundler(dependencies) unless @lenient
      raise @problem unless chosen
      SpecSet.new(chosen.each_value.map { |spec| locked_form(spec) })
    end

    private

    def solve(wishes, chosen, asked)
      loop do
        wish, *wishes = wishes
        return chosen unless wish
        next if wish.name == "bundler"
        if (spec = chosen[wish.name])
          next if fits?(wish.dependency, spec)
          return conflict([*asked, wish].select { |each| each.name == wish.name }, chosen, (complaint(wish) if candidates(wish.dependency).empty?))
        end
        return branch(wish, wishes, chosen, [*asked, wish])
      end
    end

    def branch(wish, wishes, chosen, asked)
      found = candidates(wish.dependency)
      return absent(wish, wishes, chosen, asked) if found.empty?
      found.each do |spec|
        needed = spec.dependencies.select(&:runtime?).map { |each| Wish.new(each, [*wish.chain, spec]) }
        solved = solve(wishes + needed, chosen.merge(spec.name => spec), asked)
        return solved if solved
      end
      nil
    end

    def absent(wish, wishes, chosen, asked)
      @missing |= [wish.dependency]
      return solve(wishes, chosen, asked) if @lenient
      conflict([wish], chosen, complaint(wish))
    end

    # The first that was met is told of.
    def conflict(wishes, chosen, addition = nil)
      trees = wishes.sort_by { |wish| [*wish.chain.map(&:name), wish.name].reverse }.map do |wish|
        lines = wish.chain.map { |spec| "#{spec.name} was resolved to #{spec.version}, which depends on" } << SharedHelpers.pretty_dependency(wish.dependency)
        lines.each_with_index.map { |line, depth| "#{"  " * (depth + 2)}#{line}\n" }.join
      end
      name = wishes.last.name
      text = "Bundler could not find compatible versions for gem \"#{name}\":\n  In #{gemfile_name}:\n#{trees.join("\n")}#{addition}"
      @problem ||= VersionConflict.new({ name => chosen[name] }, text)
      nil
    end

    def gemfile_name = Bundler.default_gemfile.basename
    def refuse(wish) = raise(GemNotFound, message(wish.dependency))
    def complaint(wish)
      named = @definition.dependencies.find { |each| each.name == wish.name }
      source = named ? source_of(named) || @definition.sources.default_source : "any of the sources"
      needing = wish.chain.last.then { |spec| @definition.dependencies.find { |each| each.name == spec.name } || Gem::Dependency.new(spec.name) }
      "\n#{message(wish.dependency, ", which is required by gem '#{SharedHelpers.pretty_dependency(needing)}',", source).chomp}"
    end

    def message(dependency, addition = "", source = dependency.source || @definition.sources.default_source)
      asked = Gem::Dependency.new(dependency.name, *dependency.requirement.as_list)
      known = (source.is_a?(Source) ? source : @definition.sources.global_rubygems_source).specs.search(dependency.name)
      text = "Could not find gem '#{SharedHelpers.pretty_dependency(asked)}'#{addition} in #{source}.\n"
      known.empty? ? text : "#{text}\nThe source contains the following gems matching '#{dependency.name}':\n#{known.map { |spec| "  * #{spec.full_name}" }.join("\n")}"
    end

    # Bundler is there in one version only.
    def refuse_other_bundler(dependencies)
      wrong = dependencies.find { |each| each.name == "bundler" && !Index.fits?(each, Metadata) } or return
      raise VersionConflict.new({}, <<~TEXT.chomp)
        Bundler could not find compatible versions for gem "bundler":
          In #{gemfile_name}:
            #{SharedHelpers.pretty_dependency(wrong)}

          Current Bundler version:
            bundler (#{VERSION})

        Your bundle requires a different version of Bundler than the one you're running, and that version could not be found.
      TEXT
    end
    Metadata = Struct.new(:version).new(Gem::Version.new(VERSION)).freeze
    private_constant :Metadata

    # What will do: what is locked stays as it is; without a lock first what is loaded already, then the newest; last a library that is in place of the gem.
    def candidates(dependency)
      source = source_of(dependency)
      locked = @locked[dependency.name].last
      found = sources_for(source).flat_map { |each| specs_in(each, dependency, !source.nil?) }.uniq(&:full_name).sort_by.with_index do |spec, index|
        [buildable?(spec) ? 0 : 1, locked&.version == spec.version ? 0 : 1, spec.equal?(Gem.loaded_specs[spec.name]) ? 0 : 1, index]
      end
      found = [found.find { |spec| spec.version == locked.version }].compact if !@lenient && locked&.satisfies?(dependency)
      return found if found.any? { |spec| buildable?(spec) } || !(source.nil? || source.is_a?(Source::Rubygems) || @lenient)
      found = [@definition.sources.global_rubygems_source.stand_in(dependency), *found].compact
      found.empty? && locked&.satisfies?(dependency) ? [locked] : found
    end

    # Compiled extensions cannot be loaded.
    def buildable?(spec) = spec.is_a?(LazySpecification) || spec.extensions.empty?

    def specs_in(source, dependency, wanted)
      found = source.specs.search(dependency).reverse
      found = source.specs.search(dependency.name).reverse if found.empty? && @lenient
      found = found.partition { |spec| !spec.version.prerelease? }.flatten unless dependency.prerelease?
      found.each { |spec| origins[spec] ||= source }
    rescue PathError, GitError
      raise if wanted && !@lenient
      []
    end

    # A gem of the Gemfile that says where it comes from comes from nowhere else.
    def source_of(dependency)
      named = @definition.dependencies.find { |each| each.name == dependency.name }
      source = dependency.source || named&.source
      @lenient && source.is_a?(Source::Git) ? nil : source
    end
    def sources_for(source) = source ? [source] : [@definition.sources.global_rubygems_source, *@definition.sources.path_sources, *@definition.sources.git_sources]
    def fits?(dependency, spec) = @lenient || Index.fits?(dependency, spec) || spec.stand_in?

    def origins = @origins ||= {}.compare_by_identity

    def locked_form(spec) = spec.is_a?(LazySpecification) ? spec : LazySpecification.of(spec, origins[spec] || @definition.sources.default_source)
  end
end
