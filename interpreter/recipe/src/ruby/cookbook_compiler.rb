class Chef
  class RunContext
    # Loads the files of the cookbooks that an expanded run list reaches, for a context that code has made itself: `run_context.load(expansion)`.
    class CookbookCompiler
      attr_reader :events, :run_list_expansion, :logger, :run_context

      def initialize(run_context, run_list_expansion, events)
        @run_context = run_context
        @run_list_expansion = run_list_expansion
        @events = events
        @logger = run_context.logger
      end

      # What a run loads, in its order: method, event, what is loaded of each cookbook.
      PARTS = {
        compile_libraries: [:library_load, :libraries], compile_attributes: [:attribute_load, :attributes], compile_lwrps: [:lwrp_load, :lwrps],
        compile_resource_definitions: [:definition_load, :definitions]
      }.freeze
      private_constant :PARTS

      # defines: compile_libraries compile_attributes compile_lwrps compile_resource_definitions
      PARTS.each do |method, (event, part)|
        define_method(method) do
          events.public_send(:"#{event}_start", count_files(part))
          cookbook_order.each { |name| load_part(part, name) }
          events.public_send(:"#{event}_complete")
        end
      end

      def compile
        PARTS.each_key { |method| public_send(method) }
        compile_recipes
      end

      # The names of the cookbooks, dependencies first.
      def cookbook_order = @cookbook_order ||= order_of(cookbook_collection, run_list_expansion.recipes.map(&:to_s)).map(&:to_sym)

      def compile_recipes
        names = run_list_expansion.recipes
        events.recipe_load_start(names.size)
        names.each { |name| compile_recipe(name) }
        events.recipe_load_complete
      end

      def node = run_context.node
      def cookbook_collection = run_context.cookbook_collection
      def definitions = run_context.definitions
      def unreachable_cookbook?(name) = !reachable_cookbooks.include?(name)
      def reachable_cookbooks = @reachable_cookbooks ||= Set.new(cookbook_order)

      private

      def compile_recipe(name)
        path = recipe_path(name)
        run_context.load_recipe(name)
        events.recipe_file_loaded(path, name)
      rescue Chef::Exceptions::RecipeNotFound => e
        events.recipe_not_found(e)
        raise
      rescue StandardError, ScriptError => e
        events.recipe_file_load_failed(path, e, name)
        raise
      end
    end

    attr_reader :cookbook_compiler

    # Loads everything that an expanded run list reaches, its recipes into this context.
    def load(run_list_expansion)
      return parent_run_context.load(run_list_expansion) if parent_run_context

      @cookbook_compiler = CookbookCompiler.new(self, run_list_expansion, events)
      cookbook_compiler.compile
    end

    def load_recipe_file(file)
      raise Chef::Exceptions::RecipeNotFound, "could not find recipe file #{file}" unless File.exist?(file)

      Chef::Recipe.new("@recipe_files", file, self).tap { |recipe| recipe.from_file(file) }
    end

    # Cookbook and path of an attribute file.
    def resolve_attribute(cookbook, file)
      found = cookbook_collection[cookbook] or raise Chef::Exceptions::CookbookNotFound, "could not find cookbook #{cookbook} while loading attribute #{file}"
      found.attribute_filenames_by_short_filename[file] or raise Chef::Exceptions::AttributeNotFound, "could not find filename for attribute #{file} in cookbook #{cookbook}"
    end
  end
end
