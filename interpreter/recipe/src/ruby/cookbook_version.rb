class Chef
  # A cookbook: its name, metadata and files. `run_context.cookbook_collection` has those of the run.
  class CookbookVersion
    COOKBOOK_SEGMENTS = %i{resources providers recipes definitions libraries attributes files templates root_files}.freeze

    class << self
      def cache = Chef::FileCache
      def chef_server_rest = Chef::ServerAPI.new(Chef::Config[:chef_server_url])

      def checksum_cookbook_file(path)
        Chef::Digester.generate_md5_checksum_for_file(path)
      rescue Errno::ENOENT
        Chef::Log.trace("File #{path} does not exist, so there is no checksum to generate")
        nil
      end

      def from_hash(hash)
        made = new(hash["cookbook_name"] || hash["name"])
        made.metadata = Chef::Cookbook::Metadata.from_hash(hash["metadata"] || {})
        made.identifier = hash["identifier"] if hash.key?("identifier")
        made.freeze_version if hash["frozen?"]
        made
      end
      alias from_cb_artifact_data from_hash
    end

    attr_accessor :identifier
    attr_writer :chef_server_rest, :root_paths
    alias in_run_name name
    alias in_run_root_dir root_dir
    alias in_run_files all_files

    def initialize(name, *root_paths, chef_server_rest: nil)
      @name = name
      @root_paths = root_paths
      @chef_server_rest = chef_server_rest
      @metadata = Chef::Cookbook::Metadata.new
      @all_files = []
    end

    def name = @name || in_run_name
    def name=(value)
      @name = value
    end

    def root_paths = @root_paths || [in_run_root_dir]
    def root_dir = root_paths[0]
    def all_files = @all_files || in_run_files

    def all_files=(files)
      @all_files = Array(files)
    end

    def metadata = @metadata ||= Chef::Cookbook::Metadata.of_directory(root_dir)

    def metadata=(metadata)
      @metadata = metadata
      metadata.recipes_from_cookbook_version(self)
    end

    def version = metadata.version
    def version=(version)
      metadata.version(version)
    end

    def dependencies = metadata.dependencies
    def full_name = "#{name}-#{version}"
    def frozen_version? = !!@frozen_version
    def freeze_version = @frozen_version = true
    def chef_server_rest = @chef_server_rest ||= self.class.chef_server_rest
    def inspect = "#<#{self.class} #{full_name}>"

    def <=>(other)
      raise Chef::Exceptions::CookbookVersionNameMismatch if name != other.name

      Chef::Version.new(version) <=> Chef::Version.new(other.version)
    end
    include Comparable

    # Records of a segment: name, path in the cookbook, full path, checksum, specificity.
    def files_for(segment)
      segment = segment.to_s
      manifest_records_by_path.values.select { |record| record[:segment] == segment }
    end

    def each_file(excluded_parts: [])
      return enum_for(:each_file, excluded_parts: excluded_parts) unless block_given?

      excluded = Array(excluded_parts).map(&:to_s)
      manifest_records_by_path.each_value { |record| yield record unless excluded.include?(record[:segment]) }
    end

    def manifest_records_by_path
      @manifest_records_by_path ||= all_files.to_h do |full|
        path = root_dir ? full.delete_prefix("#{root_dir}/") : full
        [path, record(path, full)]
      end
    end

    def manifest
      Mash.new("cookbook_name" => name.to_s, "name" => full_name, "version" => version, "frozen?" => frozen_version?, "chef_type" => "cookbook_version",
               "metadata" => metadata.to_h, "all_files" => manifest_records_by_path.values.map { |record| record.reject { |key, _| key == "segment" } })
    end

    def cookbook_manifest = @cookbook_manifest ||= Chef::CookbookManifest.new(self)

    # Takes the files that a manifest lists.
    def manifest=(manifest)
      cookbook_manifest.update_from({ all_files: [] }.merge(manifest))
      records = cookbook_manifest.manifest["all_files"]
      @manifest_records_by_path = records.to_h { |given| [given["path"], record(given["path"], given["full_path"]).merge(given)] }
    end

    def checksums = manifest_records_by_path.values.to_h { |record| [self.class.checksum_cookbook_file(record[:full_path]), record[:full_path]] }
    def segment_filenames(segment) = files_for(segment).map { |record| record[:full_path] }
    def attribute_filenames_by_short_filename = by_name("attributes", ".rb", "attributes.rb")
    def recipe_filenames_by_name = by_name("recipes", ".rb", "recipe.rb")

    def recipe_yml_filenames_by_name
      yml, yaml = by_name("recipes", ".yml", "recipe.yml"), by_name("recipes", ".yaml", "recipe.yaml")
      both = yml.keys & yaml.keys
      unless both.empty?
        raise Chef::Exceptions::AmbiguousYAMLFile, "Found both of #{yml[both[0]]} and #{yaml[both[0]]} in cookbook #{name}, update the cookbook to remove one of the two"
      end
      yml.merge(yaml)
    end

    def recipe_json_filenames_by_name = by_name("recipes", ".json", "recipe.json")
    def fully_qualified_recipe_names = files_for("recipes").map { |record| "#{name}::#{File.basename(record[:path], ".rb")}" }

    def has_template_for_node?(node, filename) = !find_preferred(node, :templates, filename).nil?
    def has_cookbook_file_for_node?(node, filename) = !find_preferred(node, :files, filename).nil?

    def preferred_manifest_record(node, segment, filename)
      found = find_preferred(node, segment, filename)
      return manifest_records_by_path[found] if found

      raise Chef::Exceptions::FileNotFound, "cookbook #{name} does not contain file #{segment}/#{filename}" unless %i{files templates}.include?(segment)

      raise Chef::Exceptions::FileNotFound, missing_file_message(node, segment, filename, files_for(segment).map { |record| record[:path] })
    end

    def preferred_filename_on_disk_location(node, segment, filename, current_filepath = nil)
      full = preferred_manifest_record(node, segment, filename)[:full_path]
      return full unless current_filepath && self.class.checksum_cookbook_file(full) == self.class.checksum_cookbook_file(current_filepath)

      nil
    end

    def relative_filenames_in_preferred_directory(node, segment, dirname)
      folder = preferred_directory(node, segment, dirname) or raise Chef::Exceptions::FileNotFound, "cookbook #{name} has no directory #{segment}/default/#{dirname}"
      manifest_records_by_path.keys.select { |path| path.start_with?("#{folder}/") }.map { |path| path.delete_prefix("#{folder}/") }
    end

    def preferred_manifest_records_for_directory(node, segment, dirname)
      folder = preferred_directory(node, segment, dirname) or raise Chef::Exceptions::FileNotFound, "cookbook #{name} (#{version}) has no directory #{segment}/default/#{dirname}"
      manifest_records_by_path.filter_map { |path, record| record if path.start_with?("#{folder}/") }
    end

    def display = Mash.new("cookbook_name" => name, "name" => full_name, "frozen?" => frozen_version?, "metadata" => metadata.to_h, "version" => version)
    def metadata_json_file = File.join(root_dir, "metadata.json")
    def metadata_rb_file = File.join(root_dir, "metadata.rb")
    def has_metadata_file? = all_files.include?(metadata_json_file) || all_files.include?(metadata_rb_file)
    def reload_metadata! = (metadata.from_json(File.read(metadata_json_file)) if File.exist?(metadata_json_file))
    def compile_metadata(path = root_dir) = nil

    private

    def by_name(segment, ending, at_root)
      found = files_for(segment).select { |record| record[:full_path].end_with?(ending) }.to_h { |record| [File.basename(record[:full_path], ending), record[:full_path]] }
      root = cookbook_manifest.root_files.find { |record| record[:name] == "root_files/#{at_root}" }
      found["default"] = root[:full_path] if root
      found
    end

    def preferred_directory(node, segment, dirname)
      preferences(node, segment, dirname).find { |path| manifest_records_by_path.any? { |known, _| known.start_with?("#{path}/") } }
    end

    def find_preferred(node, segment, filename) = preferences(node, segment, filename).find { |path| manifest_records_by_path.key?(path) }
  end
end
