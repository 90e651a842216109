class Chef
  # Nodes in the API of a server; in local mode they are in the chef-repo.
  class Node
    class << self
      def chef_server_rest = Chef::ServerAPI.new(Chef::Config[:chef_server_url])

      def list(inflate = false)
        return chef_server_rest.get("nodes") unless inflate

        found = {}
        Chef::Search::Query.new.search(:node) { |node| found[node.name] = node if node.is_a?(Chef::Node) }
        found
      end

      def list_by_environment(environment, inflate = false)
        return chef_server_rest.get("environments/#{environment}/nodes") unless inflate

        found = {}
        Chef::Search::Query.new.search(:node, "chef_environment:#{environment}") { |node| found[node.name] = node }
        found
      end

      def load(name)
        answer = chef_server_rest.get("nodes/#{name}")
        answer.is_a?(Chef::Node) ? answer : from_hash(answer)
      rescue Net::HTTPClientException => e
        # a real server has the running node from the start of the run
        own = Chef.run_context && Chef.run_context.node
        own && own.name == name && e.response.code == "404" ? own : raise
      end

      def find_or_create(name)
        load(name)
      rescue Net::HTTPClientException => e
        raise unless e.response.code == "404"

        build(name).create
      end

      def json_create(hash) = from_hash(hash)
    end

    def chef_server_rest = @chef_server_rest ||= Chef::ServerAPI.new(Chef::Config[:chef_server_url])

    def save
      if Chef::Config[:why_run]
        Chef::Log.warn("In why-run mode, so NOT performing node save.")
        return self
      end
      Chef::ServerAPI.write(chef_server_rest, "nodes", name, data_for_save)
      self
    end

    def create
      chef_server_rest.post("nodes", data_for_save)
      self
    end

    def destroy = chef_server_rest.delete("nodes/#{name}")
    def logger = Chef::Log

    # Expands the run list and stores the result in automatic attributes; MissingRole if a role does not exist.
    def expand!(data_source = "server")
      expansion = run_list.expand(chef_environment, data_source)
      raise Chef::Exceptions::MissingRole, expansion if expansion.errors?

      tags
      automatic_attrs[:recipes] = expansion.recipes.with_duplicate_names
      automatic_attrs[:expanded_run_list] = expansion.recipes.with_fully_qualified_names_and_version_constraints
      automatic_attrs[:roles] = expansion.roles
      apply_expansion_attributes(expansion)
      automatic_attrs[:chef_environment] = chef_environment
      expansion
    end

    def apply_expansion_attributes(expansion)
      self.role_default = expansion.default_attrs
      self.role_override = expansion.override_attrs
      return if chef_environment == "_default"

      environment = expansion.respond_to?(:loaded_environment) ? expansion.loaded_environment : Chef::Environment.load(chef_environment)
      self.env_default = environment.default_attributes
      self.env_override = environment.override_attributes
    end
  end
end
