class Chef
  class Cookbook
    # Methods for using metadata; the fields themselves are native.
    class Metadata
      FIELDS = %i{
        name description long_description maintainer maintainer_email license platforms dependencies providing recipes version source_url
        issues_url privacy chef_versions ohai_versions gems eager_load_libraries
      }.freeze
      COMPARISON_FIELDS = FIELDS
      # constants: NAME DESCRIPTION LONG_DESCRIPTION MAINTAINER MAINTAINER_EMAIL LICENSE PLATFORMS DEPENDENCIES PROVIDING RECIPES VERSION
      # constants: SOURCE_URL ISSUES_URL PRIVACY CHEF_VERSIONS OHAI_VERSIONS GEMS EAGER_LOAD_LIBRARIES
      FIELDS.each { |field| const_set(field.to_s.upcase, field.to_s.freeze) }
      VERSION_CONSTRAINTS = { depends: DEPENDENCIES, provides: PROVIDING, chef_version: CHEF_VERSIONS, ohai_version: OHAI_VERSIONS }.freeze

      class << self
        def from_hash(hash) = new.from_hash(hash)
        def from_json(text) = new.from_json(text)

        # Checks the constraints of a metadata.json: raises if one is invalid.
        def validate_json(text)
          given = Chef::JSONCompat.from_json(text)
          checked = new
          VERSION_CONSTRAINTS.each { |rule, field| given[field]&.each { |name, list| checked.public_send(rule, name, *Array(list)) } }
          true
        end
      end

      def ==(other) = FIELDS.all? { |field| other.respond_to?(field) && other.public_send(field) == public_send(field) }
      def errors = name.nil? ? ["The `name' attribute is required in cookbook metadata"] : []
      def valid? = errors.empty?
      def chef_versions = gem_requirements_from_array("chef", chef_version)
      def ohai_versions = gem_requirements_from_array("ohai", ohai_version)
      def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)
      def from_json(text) = from_hash(Chef::JSONCompat.from_json(text))
      def gem_requirements_from_array(what, lists) = lists.map { |list| Gem::Dependency.new(what, *list) }

      def gem_requirements_to_array(*dependencies)
        dependencies.map { |dependency| dependency.requirement.requirements.map { |parts| parts.join(" ") }.sort }
      end

      # A cookbook provides its recipes; the default recipe has the cookbook's name.
      def recipes_from_cookbook_version(cookbook)
        names = cookbook.fully_qualified_recipe_names.map { |full| full.end_with?("::default") ? name.to_s : full }
        names.each do |short|
          recipe(short, recipes[short] || "")
          provides(short)
        end
      end

      def validate_chef_version! = validate_running(Chef::Exceptions::CookbookChefVersionMismatch, "chef", Chef::VERSION, chef_versions)
      def validate_ohai_version! = validate_running(Chef::Exceptions::CookbookOhaiVersionMismatch, "ohai", Ohai::VERSION, ohai_versions)

      private

      def validate_running(error, what, running, dependencies)
        fits = dependencies.empty? || dependencies.any? { |dependency| dependency.match?(what, Gem::Version.new(running)) }
        raise error.new(running, name, version, *dependencies) unless fits
      end
    end

    # Partially known metadata.
    class MinimalMetadata < Metadata
      def initialize(name, fields)
        super()
        self.name(name)
        from_hash(fields)
      end
    end
  end
end
