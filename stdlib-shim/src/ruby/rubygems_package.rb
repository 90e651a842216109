# `.gem` archives: read, checked against their checksums, and unpacked without leaving the gem's folder.
module Gem
  class Package
    class Error < Gem::Exception; end
    class FormatError < Error; end
    class PathError < Error; end
    class NonSeekableIO < Error; end
    class TooLongFileName < Error; end
    class TarInvalidError < Error; end
    %i(TarReader TarWriter TarHeader).each { |name| autoload(name, "rubygems/package/tar") }

    # The entries of a tar archive: name, bytes, mode and kind. A name too long for a header comes as an entry of its own before.
    def self.each_entry(data)
      require "stringio"
      long_name = nil
      TarReader.new(StringIO.new(data)).each do |entry|
        header = entry.header
        raise FormatError, "the archive's header is damaged" unless header.sound?
        body = entry.read || ""
        raise FormatError, "the archive is cut short" if body.bytesize < header.size
        if header.typeflag == "L"
          long_name = body.delete("\0")
          next
        end
        yield long_name || entry.full_name, body, header.mode, header.typeflag
        long_name = nil
      end
    rescue TarInvalidError
      nil # the archive ends there: what is missing is told by who needs it
    rescue ArgumentError => error
      raise FormatError, error.message
    end

    attr_reader :path
    def initialize(path)
      @path = path
    end

    def files
      @files ||= begin
        found = {}
        Package.each_entry(File.binread(@path)) { |name, body| found[name] = body }
        raise FormatError, "#{@path}: no metadata.gz and data.tar.gz" unless found["metadata.gz"] && found["data.tar.gz"]
        found
      end
    end

    def verify
      require "digest"
      require "zlib"
      sums = files["checksums.yaml.gz"] or raise FormatError, "#{@path}: no checksums"
      section = nil
      checked = []
      Zlib.gunzip(sums).each_line do |line|
        case line
        when /\A(\w+):\s*\z/ then section = $1
        when /\A  (\S+): ["']?(\h+)["']?\s*\z/
          next unless section == "SHA256" && files[$1]
          raise FormatError, "#{@path}: the checksum of #{$1} does not match" unless Digest::SHA256.hexdigest(files[$1]) == $2
          checked << $1
        end
      end
      raise FormatError, "#{@path}: no SHA256 checksums" unless (%w(metadata.gz data.tar.gz) - checked).empty?
    end

    def spec
      @spec ||= begin
        require "zlib"
        Specification.from_metadata(Zlib.gunzip(files["metadata.gz"]), @path)
      end
    end

    # Unpacks below `home`; nothing is written outside of the gem's folder.
    def unpack(home)
      verify
      require "fileutils"
      folder = File.join(home, "gems", spec.full_name)
      raise PathError, "#{@path}: bad name #{spec.full_name}" unless spec.full_name.match?(/\A[A-Za-z0-9][\w.\-]*\z/)
      fresh = "#{folder}.unpacking"
      FileUtils.rm_rf(fresh)
      Package.each_entry(Zlib.gunzip(files["data.tar.gz"])) do |name, body, mode, kind|
        parts = name.split("/")
        raise PathError, "#{@path}: #{name} leads out of the gem" if name.start_with?("/") || parts.include?("..") || name.include?("\0")
        target = File.join(fresh, *parts.reject { |part| part == "." })
        case kind
        when "5" then FileUtils.mkdir_p(target)
        when "0", "\0"
          FileUtils.mkdir_p(File.dirname(target))
          File.binwrite(target, body)
          File.chmod(mode & 0o755 | 0o600, target)
        when "1", "2" then raise PathError, "#{@path}: #{name} is a link"
        end
      end
      FileUtils.mkdir_p(File.join(home, "specifications"))
      FileUtils.rm_rf(folder)
      FileUtils.mkdir_p(File.dirname(folder))
      File.rename(fresh, folder)
      File.write(File.join(home, "specifications", "#{spec.full_name}.gemspec"), spec.to_ruby)
      folder
    end
  end
end
