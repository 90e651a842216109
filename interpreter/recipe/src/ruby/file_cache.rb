class Chef
  class Digester
    class << self
      def instance = @instance ||= new
      def checksum_for_file(*args) = instance.checksum_for_file(*args)
      def generate_checksum(*args) = instance.generate_checksum(*args)
      def generate_md5_checksum_for_file(*args) = instance.generate_md5_checksum_for_file(*args)
      alias checksum checksum_for_file
    end

    def checksum_for_file(file) = generate_checksum(file)
    alias validate_checksum checksum_for_file
    alias checksum checksum_for_file
    def generate_checksum(file) = hexdigest(Digest::SHA256.new, file)
    def generate_md5_checksum_for_file(file) = hexdigest(Digest::MD5.new, file)
    def generate_md5_checksum(io) = Digest::MD5.hexdigest(io.read)

    private

    def hexdigest(digest, file)
      digest.update(file.respond_to?(:read) ? file.read : File.binread(file))
      digest.hexdigest
    end
  end

  class FileCache
    class << self
      def create_cache_path(path, create_if_missing = true)
        folder = File.expand_path(File.join(Chef::Config[:file_cache_path], path))
        FileUtils.mkdir_p(folder) if create_if_missing && !File.directory?(folder)
        folder
      end

      def store(path, contents, perm = 0640)
        create_cache_path(File.dirname(path))
        file = create_cache_path(path, false)
        File.open(file, "w", perm) { |io| io.print(contents) }
        true
      end

      def load(path, read = true)
        file = create_cache_path(path, false)
        raise Chef::Exceptions::FileNotFound, "Cannot find #{file} for #{path}!" unless File.exist?(file)
        read ? File.read(file) : file
      end

      def delete(path)
        File.unlink(create_cache_path(path, false)) if has_key?(path)
        true
      end

      def move_to(file, path)
        create_cache_path(File.dirname(path))
        FileUtils.mv(file, create_cache_path(path, false))
      end

      def has_key?(path) = File.exist?(create_cache_path(path, false))
      alias key? has_key?
      def list = find("**/*")

      def find(pattern)
        base = File.expand_path(Chef::Config[:file_cache_path])
        Dir[File.join(base, pattern)].select { |file| File.file?(file) }.map { |file| file.delete_prefix("#{base}/") }
      end
    end
  end

  module Mixin
    module Checksum
      def checksum(file) = Chef::Digester.checksum_for_file(file)
      def short_cksum(checksum) = checksum.nil? ? "none" : checksum[0, 6]
      def checksum_match?(wanted, found) = !wanted.nil? && !found.nil? && wanted.casecmp?(found)
    end
  end
end
