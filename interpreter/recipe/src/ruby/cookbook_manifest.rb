class Chef
  # What a server gets to know of a cookbook: its metadata, and a record for each file.
  class CookbookManifest
    SEGMENTS = %w{resources providers recipes definitions libraries attributes files templates root_files}.freeze

    attr_reader :cookbook_version

    def initialize(cookbook_version, policy_mode: false)
      @cookbook_version = cookbook_version
      @policy_mode = !!policy_mode
    end

    # defines: root_paths name identifier metadata full_name version frozen_version?
    %i{root_paths name identifier metadata full_name version frozen_version?}.each { |field| define_method(field) { @cookbook_version.public_send(field) } }

    def reset!
      @manifest = @checksums = @manifest_records_by_path = @by_parent_directory = nil
      true
    end

    def policy_mode? = @policy_mode
    def manifest = @manifest ||= generated
    def checksums = @checksums ||= manifest[:all_files].to_h { |file| [file[:checksum], file[:full_path]] }
    def manifest_records_by_path = @manifest_records_by_path ||= manifest[:all_files].to_h { |file| [file[:path], file] }
    def to_h = CookbookManifestVersions.to_h(self)
    alias to_hash to_h
    def to_json(*args) = Chef::JSONCompat.to_json(to_h.merge("json_class" => "Chef::CookbookVersion"), *args)
    def named_cookbook_url = "#{policy_mode? ? "cookbook_artifacts" : "cookbooks"}/#{name}"
    def save_url = "#{named_cookbook_url}/#{policy_mode? ? identifier : version}"
    def force_save_url = "#{save_url}?force=true"

    def update_from(manifest)
      reset!
      @manifest = CookbookManifestVersions.from_hash(manifest)
    end

    def add_files_to_manifest(files)
      manifest[:all_files].concat(Array(files))
      @checksums = @manifest_records_by_path = nil
    end

    def files_for(segment) = segment.to_s == "root_files" ? root_files : manifest[:all_files].select { |file| file[:name].start_with?("#{segment}/") }
    def root_files = manifest[:all_files].select { |file| segment_of(file) == "root_files" }
    def by_parent_directory = @by_parent_directory ||= manifest[:all_files].group_by { |file| segment_of(file) }

    def each_file(excluded_parts: [])
      excluded = Array(excluded_parts).map(&:to_s)
      manifest[:all_files].each { |file| yield file if block_given? && !excluded.include?(file[:name].split("/").first) }
    end

    private

    def segment_of(file) = file[:name].include?("/") ? file[:name].split("/").first : "root_files"

    def generated
      fail_with("Cookbook #{name} does not have root_paths! Cannot generate manifest.") if root_paths.nil? || root_paths.compact.empty?

      files = @cookbook_version.all_files.reject { |file| File.directory?(file) }.map { |file| record_of(file) }
      names = policy_mode? ? { name: name.to_s, identifier: identifier } : { name: full_name, cookbook_name: name.to_s }
      Mash.new({ all_files: files, metadata: metadata, version: metadata.version }.merge(names))
    end

    def record_of(file)
      root = root_paths.find { |path| file.start_with?("#{path}/") }
      fail_with("Cookbook file #{file} not under cookbook root paths #{root_paths.inspect}.") unless root

      path = file.delete_prefix("#{root}/")
      found = @cookbook_version.send(:record, path, file)
      { name: found["name"], path: path, checksum: CookbookVersion.checksum_cookbook_file(file), specificity: found["specificity"], full_path: file }
    end

    def fail_with(text)
      Chef::Log.error(text)
      raise text
    end
  end

  class Cookbook
    # The manifest for servers with API versions 0 and 1: files by segment.
    class ManifestV0
      extend Chef::Mixin::VersionedAPI
      minimum_api_version 0
      COOKBOOK_SEGMENTS = CookbookManifest::SEGMENTS

      class << self
        def from_hash(hash)
          files = COOKBOOK_SEGMENTS.flat_map do |segment|
            Array(hash[segment]).map { |file| file.merge("name" => "#{segment}/#{file["name"]}") }
          end
          Mash.new(hash.reject { |key, _| COOKBOOK_SEGMENTS.include?(key.to_s) }).merge(all_files: files)
        end

        def to_h(manifest)
          files = manifest.by_parent_directory
          found = manifest.manifest.reject { |key, _| key == "all_files" }
          COOKBOOK_SEGMENTS.each do |segment|
            found[segment] = Array(files[segment]).map { |file| file.reject { |key, _| key == "full_path" }.merge("name" => file["name"].split("/")[1]) }
          end
          found.merge("frozen?" => manifest.frozen_version?, "chef_type" => "cookbook_version")
        end
        alias to_hash to_h
      end
    end

    # The manifest since API version 2: one list of files.
    class ManifestV2
      extend Chef::Mixin::VersionedAPI
      minimum_api_version 2

      class << self
        def from_hash(hash) = Mash.new(hash)

        def to_h(manifest)
          files = manifest.manifest["all_files"].map { |file| file.to_hash.reject { |key, _| key == "full_path" } }
          metadata = manifest.manifest["metadata"]
          manifest.manifest.to_hash.merge("all_files" => files, "metadata" => metadata, "frozen?" => manifest.frozen_version?, "chef_type" => "cookbook_version")
        end
        alias to_hash to_h
      end
    end
  end

  # The form of the manifest that the server's API version asks for.
  class CookbookManifestVersions
    extend Chef::Mixin::VersionedAPIFactory
    add_versioned_api_class Chef::Cookbook::ManifestV0
    add_versioned_api_class Chef::Cookbook::ManifestV2
    def_versioned_delegator :from_hash
    def_versioned_delegator :to_hash
    def_versioned_delegator :to_h
  end
end
