class Chef
  # Recipes in JSON or YAML: `resources`, each with type, name and properties, and `include_recipes`.
  class Recipe
    def from_json_file(path) = from_json(data_file(path))

    def from_yaml_file(path)
      text = data_file(path)
      raise ArgumentError, "YAML recipe '#{path}' contains multiple documents, only one is supported" if text.scan(/^---\s*$/).length > 1

      from_yaml(text)
    end

    def from_json(text)
      found = JSONCompat.from_json(text)
      raise ArgumentError, "JSON recipe '#{source_file}' must contain a top-level 'resources' hash" unless data_recipe?(found)

      from_hash(found)
    end

    def from_yaml(text)
      require "yaml"
      require "date"
      found = ::YAML.safe_load(text, permitted_classes: [Date])
      raise ArgumentError, "YAML recipe '#{source_file}' must contain a top-level 'resources' hash (YAML sequence), i.e. 'resources:'" unless data_recipe?(found)

      from_hash(found)
    end

    def from_hash(found)
      (found["resources"] || []).each do |fields|
        fields = fields.dup
        type, name = fields.delete("type"), fields.delete("name")
        __declare_with(type.to_sym, name, fields)
      end
      (found["include_recipes"] || []).each { |recipe| run_context.include_recipe(recipe) }
    end

    private

    def data_file(path)
      self.source_file = path
      raise IOError, "Cannot open or read file '#{path}'!" unless File.file?(path) && File.readable?(path)

      File.read(path)
    end

    def data_recipe?(found) = found.is_a?(Hash) && (found.key?("resources") || found.key?("include_recipes"))
  end
end
