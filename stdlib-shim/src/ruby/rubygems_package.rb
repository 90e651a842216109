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

    # The entries of a tar archive: name, bytes, mode and kind.
    def self.each_entry(data)
      at = 0
      long_name = nil
      while at + 512 <= data.bytesize
        header = data.byteslice(at, 512)
        at += 512
        next if header.delete("\0").empty?
        name, mode, size, kind, link, prefix = header.unpack("Z100 A8 x16 A12 x12 x8 a1 Z100 x6 x2 x32 x32 x16 Z155").values_at(0, 1, 2, 3, 4, 5)
        sum = header.bytes.each_with_index.sum { |byte, index| index.between?(148, 155) ? 32 : byte }
        raise FormatError, "the archive's header is damaged" unless header.byteslice(148, 8).oct == sum
        size = size.oct
        raise FormatError, "the archive is cut short" if at + size > data.bytesize
        body = data.byteslice(at, size)
        at += (size + 511) / 512 * 512
        if kind == "L"
          long_name = body.delete("\0")
          next
        end
        name = long_name || (prefix.empty? ? name : "#{prefix}/#{name}")
        long_name = nil
        yield name, body, mode.oct, kind, link
      end
    end

    attr_reader :path
    def initialize(path)
      @path = path
    end

    def files
      @files ||= begin
        found = {}
        Package.each_entry(File.binread(@path)) { |name, body,| found[name] = body }
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
      Package.each_entry(Zlib.gunzip(files["data.tar.gz"])) do |name, body, mode, kind, _|
        parts = name.split("/")
        raise PathError, "#{@path}: #{name} leads out of the gem" if name.start_with?("/") || parts.include?("..") || name.include?("\0")
        target = File.join(fresh, *parts.reject { |part| part == "." })
        case kind
        when "5" then FileUtils.mkdir_p(target)
        when "0", "\0", ""
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
