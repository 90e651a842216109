class Chef
  # Common parts of roles and environments: name, description, two levels of attributes, and their API path.
  module RoleOrEnvironment
    def self.included(into) = into.extend(ClassMethods)

    module ClassMethods
      def chef_server_rest = Chef::ServerAPI.new(Chef::Config[:chef_server_url])

      def load(name) = from_hash(chef_server_rest.get("#{path}/#{name}"))

      def list(inflate = false)
        return chef_server_rest.get(path) unless inflate
        found = {}
        Chef::Search::Query.new.search(path.delete_suffix("s").to_sym) { |each| found[each.name] = each unless each.nil? }
        found
      end
    end

    def initialize(chef_server_rest: nil)
      @name, @description = "", ""
      @default_attributes, @override_attributes = Mash.new, Mash.new
      @chef_server_rest = chef_server_rest
    end

    def chef_server_rest = @chef_server_rest ||= self.class.chef_server_rest
    def description(text = nil) = set_or_return(:description, text, kind_of: String)
    def default_attributes(hash = nil) = set_or_return(:default_attributes, hash, kind_of: Hash)
    def override_attributes(hash = nil) = set_or_return(:override_attributes, hash, kind_of: Hash)
    def to_hash = to_h
    def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)
    def destroy = chef_server_rest.delete("#{self.class.path}/#{@name}")

    def create
      chef_server_rest.post(self.class.path, self)
      self
    end

    def save
      Chef::ServerAPI.write(chef_server_rest, self.class.path, @name, self)
      self
    end
  end

  # The keys of roles and environments and `run_list_for` are native.
  class Role
    include Chef::Mixin::FromFile
    include Chef::Mixin::ParamsValidate
    include RoleOrEnvironment

    class << self
      def path = "roles"
      def from_disk(name) = from_hash(Chef::LocalData.stored_role(name))
    end

    def initialize(chef_server_rest: nil)
      super
      @env_run_lists = { "_default" => Chef::RunList.new }
    end

    def name(text = nil) = set_or_return(:name, text, regex: /^[\-[:alnum:]_]+$/)

    def run_list(*items)
      @env_run_lists["_default"].reset!(items) unless items.empty?
      @env_run_lists["_default"]
    end
    alias recipes run_list

    def env_run_lists(lists = nil)
      return @env_run_lists if lists.nil?
      unless lists.key?("_default")
        raise Chef::Exceptions::InvalidEnvironmentRunListSpecification, "_default key is required in env_run_lists.\n(env_run_lists: #{lists.inspect})"
      end
      @env_run_lists.clear
      env_run_lists_add(lists)
    end
    alias env_run_list env_run_lists

    def env_run_lists_add(lists = nil)
      lists&.each { |environment, items| @env_run_lists[environment] = Chef::RunList.new(*Array(items)) }
      @env_run_lists
    end
    alias env_run_list_add env_run_lists_add

    def update_from!(other)
      description(other.description)
      recipes(other.recipes)
      default_attributes(other.default_attributes)
      override_attributes(other.override_attributes)
      env_run_lists(other.env_run_lists) unless other.env_run_lists.nil?
      self
    end

    def environment(name) = chef_server_rest.get("roles/#{@name}/environments/#{name}")
    def environments = chef_server_rest.get("roles/#{@name}/environments")
    def to_s = "role[#{@name}]"
  end

  class Environment
    include Chef::Mixin::FromFile
    include Chef::Mixin::ParamsValidate
    include RoleOrEnvironment

    DEFAULT = "default".freeze
    COMBINED_COOKBOOK_CONSTRAINT = /(.+)\s+((?:#{Chef::VersionConstraint::OPS.join("|")})\s+.+)$/.freeze

    class << self
      def path = "environments"
      def load_from_file(name) = from_hash(Chef::LocalData.stored_environment(name))
      def load_filtered_recipe_list(environment) = chef_server_rest.get("environments/#{environment}/recipes")

      def validate_cookbook_versions(versions)
        versions.is_a?(Hash) && versions.each_value.all? { |version| validate_cookbook_version(version) }
      end

      def validate_cookbook_version(version)
        if Chef::Config[:solo_legacy_mode]
          raise Chef::Exceptions::IllegalVersionConstraint, "Environment cookbook version constraints not allowed in Chef Infra Solo"
        end
        Chef::VersionConstraint.new(version)
        true
      rescue ArgumentError
        false
      end
    end

    def initialize(chef_server_rest: nil)
      super
      @cookbook_versions = {}
    end

    def name(text = nil) = set_or_return(:name, text, regex: /^[\-[:alnum:]_]+$/, kind_of: String)
    def default_attributes=(hash)
      default_attributes(hash)
    end

    def override_attributes=(hash)
      override_attributes(hash)
    end

    def cookbook_versions(versions = nil)
      rule = { "should be a valid set of cookbook version requirements" => ->(given) { Chef::Environment.validate_cookbook_versions(given) } }
      set_or_return(:cookbook_versions, versions, kind_of: Hash, callbacks: rule)
    end

    def cookbook(cookbook, version)
      rule = { "should be a valid version requirement" => ->(given) { Chef::Environment.validate_cookbook_version(given) } }
      validate({ version: version }, { version: { callbacks: rule } })
      @cookbook_versions[cookbook] = version
    end

    def update_from!(other)
      %i{description cookbook_versions default_attributes override_attributes}.each { |key| public_send(key, other.public_send(key)) }
      self
    end

    def invalid_fields = @invalid_fields ||= {}

    # Updates the environment from a web form; false if a value is invalid, and then `invalid_fields` has the messages.
    def update_from_params(params)
      before = cookbook_versions
      cookbook_versions({})
      valid = true
      begin
        name(params[:name])
      rescue Chef::Exceptions::ValidationFailed => e
        invalid_fields[:name] = e.message
        valid = false
      end
      description(params[:description])
      (params[:cookbook_version] || {}).each do |index, constraint|
        next if constraint.nil? || constraint.empty?
        valid &&= update_cookbook_constraint_from_param(index, constraint)
      end
      update_attributes_from_params(params)
      valid = validate_required_attrs_present && valid
      cookbook_versions(before) unless valid
      valid
    end

    def update_attributes_from_params(params)
      %i{default_attributes override_attributes}.each do |key|
        public_send(key, Chef::JSONCompat.from_json(params[key])) unless params[key].nil? || params[key].empty?
      end
    end

    def update_cookbook_constraint_from_param(index, constraint)
      found = constraint.match(COMBINED_COOKBOOK_CONSTRAINT)
      if found && self.class.validate_cookbook_version(found[2])
        cookbook_versions[found[1]] = found[2]
        return true
      end
      add_cookbook_constraint_error(index, constraint)
      false
    end

    def add_cookbook_constraint_error(index, constraint)
      (invalid_fields[:cookbook_version] ||= {})[index] = "#{constraint} is not a valid cookbook constraint"
    end

    def validate_required_attrs_present
      return true unless name.nil? || name.empty?
      invalid_fields[:name] ||= "name cannot be empty"
      false
    end

    def to_s = @name
  end
end
