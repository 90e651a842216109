# `.gem` archives: read, checked against their checksums, and unpacked without leaving the gem's folder.
require "rubygems/package/tar"
require "rubygems/specification"
require "rubygems/user_interaction"
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

# `.gem` files: written from a specification, and what they hold.
module Gem
  class Package
    include UserInteraction

    # Writes the file of a gem, in the current directory if no name is given; gives that name.
    def self.build(spec, skip_validation = false, strict_validation = false, file_name = nil)
      name = file_name || spec.file_name
      package = new(name)
      package.spec = spec
      package.build(skip_validation, strict_validation)
      name
    end

    attr_writer :spec
    attr_accessor :security_policy, :build_time
    attr_reader :gem

    def initialize(path, security_policy = nil)
      @gem = @path = path
      @security_policy = security_policy
      @build_time = Gem.source_date_epoch
    end

    # All that the metadata say.
    def spec
      @spec ||= begin
        require "zlib"
        made = Specification.from_yaml(Zlib.gunzip(files["metadata.gz"]).force_encoding("UTF-8"))
        raise FormatError, "#{@path}: metadata without name and version" unless made.name && made.version
        made.package = @path
        made
      end
    rescue Gem::Exception, Psych::Exception, TypeError => error
      raise if error.is_a?(Error)
      raise FormatError, "#{@path}: #{error.message}"
    end

    # The names of the gem's files.
    def contents
      require "zlib"
      verify unless @spec
      @contents ||= [].tap { |names| Package.each_entry(Zlib.gunzip(files["data.tar.gz"])) { |name,| names << name } }
    end

    def build(skip_validation = false, strict_validation = false)
      raise ArgumentError, "skip_validation = true and strict_validation = true are incompatible" if skip_validation && strict_validation
      raise OperationNotSupportedError, "gems are not signed here: #{@spec.full_name} has a signing_key" if @spec.signing_key
      @spec.mark_version
      @spec.validate(true, strict_validation) unless skip_validation
      File.open(@path, "wb") { |file| TarWriter.new(file) { |tar| write_parts(tar) } }
      say("  Successfully built RubyGem\n  Name: #{@spec.name}\n  Version: #{@spec.version}\n  File: #{File.basename(@path)}\n")
    end

    private

    def write_parts(tar)
      parts = { "metadata.gz" => packed(@spec.to_yaml), "data.tar.gz" => packed(contents_tar) }
      parts["checksums.yaml.gz"] = packed(checksums_of(parts))
      parts.each { |name, bytes| tar.add_file_simple(name, 0o444, bytes.bytesize) { |out| out.write(bytes) } }
    end

    def contents_tar
      require "stringio"
      out = StringIO.new("".b)
      TarWriter.new(out) { |tar| @spec.files.each { |path| add_content(tar, path) } }
      out.string
    end

    def add_content(tar, path)
      stat = File.lstat(path)
      if stat.symlink?
        tar.add_symlink(path, File.readlink(path), stat.mode)
      elsif stat.file?
        bytes = File.binread(path)
        tar.add_file_simple(path, stat.mode, bytes.bytesize) { |out| out.write(bytes) }
      end
    end

    def checksums_of(parts)
      require "digest"
      require "yaml"
      YAML.dump({ "SHA256" => Digest::SHA256, "SHA512" => Digest::SHA512 }.transform_values { |digest| parts.transform_values { |bytes| digest.hexdigest(bytes) } })
    end

    def packed(text)
      require "zlib"
      require "stringio"
      out = StringIO.new("".b)
      writer = Zlib::GzipWriter.new(out, Zlib::BEST_COMPRESSION)
      writer.mtime = @build_time
      writer.write(text)
      writer.close
      out.string
    end

    class TarWriter
      private

      def now = Gem.source_date_epoch.to_i
    end
  end
end
