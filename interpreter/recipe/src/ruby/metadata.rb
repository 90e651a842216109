class Chef
  class Cookbook
    # What a cookbook says of itself: the object that metadata.rb is evaluated on and metadata.json fills.
    class Metadata
      include Chef::Mixin::ParamsValidate
      include Chef::Mixin::FromFile

      FIELDS = %i{
        name description long_description maintainer maintainer_email license platforms dependencies providing recipes version source_url
        issues_url privacy chef_versions ohai_versions gems eager_load_libraries
      }.freeze
      COMPARISON_FIELDS = FIELDS
      FIELDS.each { |field| const_set(field.to_s.upcase, field.to_s.freeze) }
      VERSION_CONSTRAINTS = { depends: DEPENDENCIES, provides: PROVIDING, chef_version: CHEF_VERSIONS, ohai_version: OHAI_VERSIONS }.freeze

      class << self
        def from_hash(hash) = new.from_hash(hash)
        def from_json(text) = from_hash(Chef::JSONCompat.from_json(text))

        # From the files of a cookbook's directory.
        def of_directory(folder)
          json, ruby = File.join(folder, "metadata.json"), File.join(folder, "metadata.rb")
          made = new
          if File.exist?(json)
            made.from_json(File.read(json))
          elsif File.exist?(ruby)
            made.from_file(ruby)
          end
          made
        end

        def validate_json(text)
          hash = Chef::JSONCompat.from_json(text)
          metadata = new
          VERSION_CONSTRAINTS.each do |method, field|
            (hash[field] || []).each { |name, constraints| metadata.public_send(method, name, *Array(constraints)) }
          end
          true
        end
      end

      attr_reader :platforms, :dependencies, :providing, :recipes, :chef_versions, :ohai_versions, :gems

      def initialize
        @name = nil
        @description = @long_description = @maintainer = @maintainer_email = @source_url = @issues_url = ""
        @license = "All rights reserved"
        @platforms = Mash.new
        @dependencies = Mash.new
        @providing = Mash.new
        @recipes = Mash.new
        @version = Chef::Version.new("0.0.0")
        @privacy = false
        @chef_versions = []
        @ohai_versions = []
        @gems = []
        @eager_load_libraries = true
        @errors = []
      end

      {
        name: [String], description: [String], long_description: [String], maintainer: [String], maintainer_email: [String],
        license: [String], source_url: [String], issues_url: [String], privacy: [TrueClass, FalseClass],
        eager_load_libraries: [Array, String, TrueClass, FalseClass]
      }.each { |field, kinds| define_method(field) { |arg = nil| set_or_return(field, arg, kind_of: kinds) } }

      def ==(other) = COMPARISON_FIELDS.all? { |field| other.respond_to?(field) && other.public_send(field) == public_send(field) }

      def valid? = errors.empty?

      def errors
        @errors = ["The `name' attribute is required in cookbook metadata"] if name.nil?
        @errors
      end

      def version(arg = nil)
        @version = Chef::Version.new(arg) if arg
        @version.to_s
      end

      def supports(platform, *constraints) = @platforms[platform] = constraint(:supports, platform, constraints)

      def depends(cookbook, *constraints)
        raise "Cookbook depends on itself in cookbook #{name}, please remove the this unnecessary self-dependency" if cookbook == name

        @dependencies[cookbook] = constraint(:depends, cookbook, constraints)
      end

      def provides(cookbook, *constraints) = @providing[cookbook] = constraint(:provides, cookbook, constraints)

      def chef_version(*constraints) = requirement(@chef_versions, "chef", constraints)
      def ohai_version(*constraints) = requirement(@ohai_versions, "ohai", constraints)

      def gem(*words)
        @gems << words unless words.empty?
        @gems
      end

      def recipe(name, description) = @recipes[name] = description

      def recipes_from_cookbook_version(cookbook)
        cookbook.fully_qualified_recipe_names.map do |full|
          short = full.end_with?("::default") ? name.to_s : full
          @recipes[short] ||= ""
          provides(short)
          short
        end
      end

      def gem_requirements_to_array(*dependencies)
        dependencies.map { |dependency| dependency.requirement.requirements.map { |operator, version| "#{operator} #{version}" }.sort }
      end

      def gem_requirements_from_array(what, lists) = lists.map { |list| Gem::Dependency.new(what, *list) }

      def to_h
        FIELDS.to_h do |field|
          value = public_send(field)
          [field.to_s, field.end_with?("_versions") ? gem_requirements_to_array(*value) : value]
        end
      end
      alias to_hash to_h

      def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)
      def from_json(text) = from_hash(Chef::JSONCompat.from_json(text))

      def from_hash(hash)
        FIELDS.each do |field|
          next unless hash.key?(field.to_s)

          value = hash[field.to_s]
          value = case field
                  when :dependencies then handle_incorrect_constraints(value)
                  when :chef_versions then gem_requirements_from_array("chef", value)
                  when :ohai_versions then gem_requirements_from_array("ohai", value)
                  else value
                  end
          instance_variable_set(:"@#{field}", value)
        end
        self
      end

      # Only one constraint was ever allowed: more of them, or none, are none.
      def handle_incorrect_constraints(specification)
        specification.each_with_object(Mash.new) do |(cookbook, constraints), found|
          constraints = Array(constraints)
          found[cookbook] = constraints.size == 1 ? constraints.first : []
        end
      end

      def validate_chef_version! = validate_running(Chef::Exceptions::CookbookChefVersionMismatch, "chef", Chef::VERSION, chef_versions)
      def validate_ohai_version! = validate_running(Chef::Exceptions::CookbookOhaiVersionMismatch, "ohai", Ohai::VERSION, ohai_versions)

      def method_missing(name, *args, &block)
        return super if block

        Chef::Log.trace("ignoring method #{name} on cookbook with name #{self.name}, possible typo or the ghosts of metadata past or future?")
      end

      def respond_to_missing?(*) = false

      private

      def requirement(list, what, constraints)
        list << Gem::Dependency.new(what, *constraints) unless constraints.empty?
        list
      end

      def validate_running(error, what, version, dependencies)
        return if dependencies.empty? || dependencies.any? { |dependency| dependency.match?(what, Gem::Version.new(version)) }

        raise error.new(version, name, self.version, *dependencies)
      end

      def constraint(caller_name, dependency, constraints)
        if constraints.size > 1
          raise Exceptions::ObsoleteDependencySyntax, <<~TEXT
            The dependency specification syntax you are using is no longer valid. You may not
            specify more than one version constraint for a particular cookbook.
            Consult https://docs.chef.io/config_rb_metadata/ for the updated syntax.

            Called by: #{caller_name} '#{dependency}', #{constraints.map(&:inspect).join(", ")}
            Called from:
          TEXT
        end
        text = constraints.first || ">= 0.0.0"
        Chef::VersionConstraint::Platform.new(text).to_s
      rescue Chef::Exceptions::InvalidVersionConstraint
        raise Exceptions::InvalidVersionConstraint, "The version constraint syntax you are using is not valid.\n\nCalled by: #{caller_name} '#{dependency}', '#{text}'"
      end
    end

    # Metadata of which only a part is known.
    class MinimalMetadata < Metadata
      def initialize(name, fields)
        super()
        @name = name
        from_hash(fields)
      end
    end
  end
end
