class Chef
  # The run list of a node or role: items in order, without duplicates.
  class RunList
    include Enumerable
    include Chef::Mixin::ParamsValidate

    # Expansion of a run list. The expansion itself is native; subclasses define how roles are fetched.
    class RunListExpansion
      attr_reader :run_list_items, :recipes, :default_attrs, :override_attrs, :environment, :missing_roles_with_including_role, :source,
        :all_missing_roles, :role_errors

      def initialize(environment, run_list_items, source = nil)
        @environment, @run_list_items, @source = environment, run_list_items.dup, source
        @default_attrs, @override_attrs = Mash.new, Mash.new
        @recipes = VersionedRecipeList.new
        @missing_roles_with_including_role = []
        @applied_roles, @all_missing_roles, @role_errors = {}, {}, {}
      end

      def errors? = !@missing_roles_with_including_role.empty?
      alias invalid? errors?
      def errors = @missing_roles_with_including_role.map(&:first)
      def roles = @applied_roles.keys
      def applied_role?(name) = @applied_roles.key?(name)

      def apply_role_attributes(role)
        @default_attrs = Chef::Mixin::DeepMerge.merge(@default_attrs, role.default_attributes)
        @override_attrs = Chef::Mixin::DeepMerge.merge(@override_attrs, role.override_attributes)
      end

      def fetch_role(_name, _included_by) = raise(NotImplementedError)

      def role_not_found(name, included_by)
        Chef::Log.error("Role #{name} (included by '#{included_by}') is in the runlist but does not exist. Skipping expand.")
        @missing_roles_with_including_role << [name, included_by]
        @all_missing_roles[name] = true
        note_missing_role(name)
      end

      # Missing keys give an empty list.
      def run_list_trace = Hash.new { |trace, by| trace[by] = [] }.merge!(items_by_container)
      def better_run_list_trace = Hash.new { |trace, by| trace[by] = [] }.merge!(objects_by_container)

      def to_json(*args) = Chef::JSONCompat.to_json(to_h, *args)
    end

    # Fetches roles from the chef-repo.
    class RunListExpansionFromDisk < RunListExpansion
      def fetch_role(name, included_by)
        Chef::Role.from_disk(name)
      rescue Chef::Exceptions::RoleNotFound
        role_not_found(name, included_by)
      end
    end

    # Fetches roles from a server.
    class RunListExpansionFromAPI < RunListExpansion
      def rest = @rest ||= source || Chef::ServerAPI.new(Chef::Config[:chef_server_url])

      def fetch_role(name, included_by)
        Chef::Role.from_hash(rest.get("roles/#{name}"))
      rescue Net::HTTPClientException => e
        raise unless e.message == '404 "Not Found"'
        role_not_found(name, included_by)
      rescue Exception => e
        @role_errors[name] = e.to_s
        raise
      end
    end

    attr_reader :run_list_items
    alias run_list run_list_items

    def initialize(*items) = @run_list_items = items.map { |item| coerce_to_run_list_item(item) }
    def role_names = @run_list_items.select(&:role?).map(&:name)
    alias roles role_names
    def recipe_names = @run_list_items.select(&:recipe?).map(&:name)
    alias recipes recipe_names

    def <<(item)
      item = coerce_to_run_list_item(item)
      @run_list_items << item unless @run_list_items.include?(item)
      self
    end
    alias push <<
    alias add <<

    def ==(other)
      return other.run_list_items == @run_list_items if other.is_a?(RunList)
      other.respond_to?(:size) && other.size == @run_list_items.size && other.map { |item| coerce_to_run_list_item(item) } == @run_list_items
    end

    def to_s = @run_list_items.join(", ")
    def for_json = @run_list_items.map(&:to_s)
    def to_json(*args) = Chef::JSONCompat.to_json(for_json, *args)
    def empty? = @run_list_items.empty?
    def [](index) = @run_list_items[index]
    def []=(index, item)
      @run_list_items[index] = parse_entry(item)
    end
    def each(&block) = @run_list_items.each(&block)
    def each_index(&block) = @run_list_items.each_index(&block)
    def include?(item) = @run_list_items.include?(parse_entry(item))

    def reset!(*items)
      @run_list_items.clear
      items.flatten.each { |item| item.is_a?(RunList) ? item.each { |each| self << each } : self << item }
      self
    end

    def remove(item)
      @run_list_items.delete_if { |each| each == item }
      self
    end
    alias delete remove

    def expand(environment, data_source = "server", options = {})
      expansion_for_data_source(environment, data_source, options).tap(&:expand)
    end

    def parse_entry(entry) = RunListItem.new(entry)
    def coerce_to_run_list_item(item) = item.is_a?(RunListItem) ? item : parse_entry(item)

    def expansion_for_data_source(environment, data_source, options = {})
      case data_source.to_s
      when "disk" then RunListExpansionFromDisk.new(environment, @run_list_items)
      when "server" then RunListExpansionFromAPI.new(environment, @run_list_items, options[:rest])
      end
    end
  end
end
