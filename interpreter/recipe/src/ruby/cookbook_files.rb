require "pathname"

class Chef
  class Cookbook
    # The nearest chefignore file: which files are no part of a cookbook.
    class Chefignore
      COMMENTS_AND_WHITESPACE = /^\s*(?:#.*)?$/.freeze

      attr_reader :ignores

      def initialize(path) = @ignores = globs_of(nearest(path))
      def remove_ignores_from(files) = Array(files).reject { |file| ignored?(file) }
      def ignored?(file) = @ignores.any? { |glob| File.fnmatch?(glob, file) }

      private

      def nearest(path)
        found = Pathname.new(path).ascend.find { |folder| folder.directory? && folder.join("chefignore").exist? }
        found&.join("chefignore")&.expand_path&.to_s
      end

      def globs_of(file)
        return File.readlines(file).grep_v(COMMENTS_AND_WHITESPACE).map(&:strip) if file && File.file?(file) && File.readable?(file)

        Chef::Log.debug("No chefignore file found. No files will be ignored!")
        []
      end
    end

    # Where the files of cookbooks come from: folders of this machine, or a server.
    class FileVendor
      class << self
        attr_reader :vendor_class, :initialization_options

        def fetch_from_remote(http_client) = configure(RemoteFileVendor, http_client)
        def fetch_from_disk(cookbook_paths) = configure(FileSystemFileVendor, cookbook_paths)

        def create_from_manifest(manifest)
          raise "Must configure FileVendor to use a specific implementation before creating an instance" if vendor_class.nil?

          vendor_class.new(manifest, initialization_options)
        end

        private

        def configure(vendor_class, options)
          @vendor_class = vendor_class
          @initialization_options = options
        end
      end

      def get_filename(_filename) = raise(NotImplementedError, "Subclasses must implement this method")
    end

    class FileSystemFileVendor < FileVendor
      attr_reader :cookbook_name, :repo_paths

      def initialize(manifest, *repo_paths)
        raise ArgumentError, "You must specify at least one repo path" if repo_paths.empty?

        @cookbook_name = manifest.name
        @repo_paths = repo_paths.flatten
      end

      def cookbooks = @cookbooks ||= Chef::CookbookLoader.new(repo_paths).load_cookbooks

      def get_filename(filename)
        path = File.join(cookbooks[cookbook_name].root_dir, filename) if cookbooks.key?(cookbook_name)
        path && File.exist?(path) ? path : raise("File #{filename} does not exist for cookbook #{cookbook_name}")
      end
    end

    # Files of a server's cookbook, which are kept in the cache.
    class RemoteFileVendor < FileVendor
      attr_reader :rest, :cookbook_name

      def initialize(manifest, rest)
        @manifest = manifest
        @cookbook_name = manifest.name
        @rest = rest
      end

      def get_filename(filename)
        record = @manifest.manifest_records_by_path[filename] or raise "No such segment/file in cookbook #{cookbook_name}: #{filename}"
        path = File.join("cookbooks", cookbook_name, filename)
        unless cached?(path, record["checksum"])
          Chef::FileCache.move_to(rest.streaming_request(record["url"]).tap(&:close).path, path)
        end
        Chef::FileCache.load(path, false)
      end

      private

      def cached?(path, checksum)
        Chef::FileCache.key?(path) && Chef::CookbookVersion.checksum_cookbook_file(Chef::FileCache.load(path, false)) == checksum
      end
    end
  end
end
