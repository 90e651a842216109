require "fileutils"
require "mixlib/log"

module Mixlib
  # Unpacks archives (tar, compressed or not, and zip) and makes tar archives.
  class Archive
    VERSION = "1.3.3"

    class TarError < StandardError; end

    class Log
      extend Mixlib::Log
    end
    Log.level = :error

    class << self
      # Makes an archive of everything below a directory.
      def archive_directory(path, archive, gzip: false, format: :tar, compression: :none)
        require "find"
        new(archive).create(Find.find(path).to_a, gzip: gzip)
      end
    end

    attr_reader :archive

    def initialize(archive, empty: false)
      @archive = File.expand_path(archive)
      @empty = empty
    end

    # The gem hands the work to a class for each kind of archive; here it is done by the archive itself.
    def archiver = self
    alias extractor archiver

    # Unpacks into a directory, which is made, and emptied if the archive was opened so. Entries whose names match `ignore` are left out.
    def extract(destination, perms: true, ignore: [])
      destination = File.expand_path(destination)
      FileUtils.mkdir_p(destination)
      FileUtils.rm_rf(Dir.children(destination).map { |name| File.join(destination, name) }, secure: true) if @empty
      left_out = Regexp.union(/^\.$/, %r{\.{2}/}, *ignore)
      unpack(archive, destination, perms, ->(name) { wanted?(name, left_out) })
    end

    def create(files = [], gzip: false)
      require "rubygems/package"
      packed = StringIO.new("".b)
      Gem::Package::TarWriter.new(packed) { |tar| files.each { |path| add(tar, path) } }
      File.binwrite(archive, gzip ? Gem::Util.gzip(packed.string) : packed.string)
    end

    private

    def wanted?(name, left_out)
      return true unless name.match?(left_out)

      Log.warn("ignoring entry #{name}")
      false
    end

    # Names in an archive are relative, as those of tar: absolute ones would not be unpacked.
    def add(tar, path)
      name = path.delete_prefix("/")
      mode = File.lstat(path).mode & 0o7777
      if File.symlink?(path)
        tar.add_symlink(name, File.readlink(path), mode)
      elsif File.directory?(path)
        tar.mkdir(name, mode)
      elsif File.file?(path)
        tar.add_file_simple(name, mode, File.size(path)) { |entry| entry.write(File.binread(path)) }
      end
    end
  end
end
