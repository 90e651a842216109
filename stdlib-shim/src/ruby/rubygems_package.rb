# `.gem` archives: read, checked against their checksums, and unpacked without leaving the gem's folder.
require "rubygems/package/tar"
require "rubygems/specification"
require "rubygems/user_interaction"
module Gem
  class Package
    class Error < Gem::Exception; end
    class FormatError < Error
      attr_reader :path

      def initialize(message, source = nil)
        @path = source&.path
        super(@path ? "#{message} in #{@path}" : message)
      end
    end
    class PathError < Error
      def initialize(destination, folder)
        super("installing into parent path #{destination} of #{folder} is not allowed")
      end
    end
    class SymlinkError < Error
      def initialize(name, destination, folder)
        super("installing symlink '#{name}' pointing to parent path #{destination} of #{folder} is not allowed")
      end
    end
    class NonSeekableIO < Error; end
    class TooLongFileName < Error; end
    class TarInvalidError < Error; end
    %i(TarReader TarWriter TarHeader).each { |name| autoload(name, "rubygems/package/tar") }
    %i(Source FileSource IOSource DigestIO).each { |name| autoload(name, "rubygems/package/source") }

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
        yield long_name || entry.full_name, body, header.mode, header.typeflag, header.linkname
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
        Package.each_entry(@gem.with_read_io(&:read)) { |name, body| found[name] = body }
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
      allow(spec) if @security_policy
      true
    end

    # Unpacks below `home`; nothing is written outside of the gem's folder.
    def unpack(home)
      verify
      require "fileutils"
      folder = File.join(home, "gems", spec.full_name)
      raise FormatError, "#{@path}: bad name #{spec.full_name}" unless spec.full_name.match?(/\A[A-Za-z0-9][\w.\-]*\z/)
      require "rubygems/specification_policy"
      danger = SpecificationPolicy.new(spec).danger
      raise FormatError, "#{@path}: #{danger}" if danger
      fresh = "#{folder}.unpacking"
      FileUtils.rm_rf(fresh)
      FileUtils.mkdir_p(fresh)
      extract_files(fresh)
      FileUtils.mkdir_p(File.join(home, "specifications"))
      FileUtils.rm_rf(folder)
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

    # The specification of a file, and its metadata as they are written there.
    def self.raw_spec(path, security_policy = nil)
      package = new(path, security_policy)
      [package.spec, Util.gunzip(package.files["metadata.gz"])]
    end

    attr_writer :spec
    attr_accessor :security_policy, :build_time, :dir_mode, :prog_mode, :data_mode
    attr_reader :gem

    def initialize(gem, security_policy = nil)
      @gem = gem.is_a?(Source) ? gem : (gem.respond_to?(:read) ? IOSource : FileSource).new(gem)
      @path = @gem.path
      @security_policy = security_policy
      @build_time = Gem.source_date_epoch
    end

    # All that the metadata say, once the policy allows the gem.
    def spec
      return @spec if @spec
      made = read_spec
      allow(made)
      @spec = made
    end

    # The names of the gem's files.
    def contents
      require "zlib"
      verify unless @spec
      @contents ||= [].tap { |names| Package.each_entry(Zlib.gunzip(files["data.tar.gz"])) { |name,| names << name } }
    end

    def build(skip_validation = false, strict_validation = false)
      raise ArgumentError, "skip_validation = true and strict_validation = true are incompatible" if skip_validation && strict_validation
      @spec.mark_version
      @spec.validate(true, strict_validation) unless skip_validation
      setup_signer
      @gem.with_write_io { |file| TarWriter.new(file) { |tar| write_parts(tar) } }
      say("  Successfully built RubyGem\n  Name: #{@spec.name}\n  Version: #{@spec.version}\n  File: #{File.basename(@path)}\n")
    end

    def copy_to(path)
      require "fileutils"
      FileUtils.cp(@path, path) unless File.exist?(path)
    end

    # Writes the files of the gem whose names fit below a folder; nothing is written outside of it, nor does a link lead out.
    def extract_files(destination_dir, pattern = "*")
      require "zlib"
      require "fileutils"
      verify
      FileUtils.mkdir_p(destination_dir, mode: dir_mode && 0o755)
      folder = File.realpath(destination_dir)
      made = []
      Package.each_entry(Zlib.gunzip(files["data.tar.gz"])) do |name, body, mode, kind, target|
        next unless File.fnmatch(pattern, name, File::FNM_DOTMATCH)
        path = place_of(name, folder)
        refuse_way_out(kind == "5" ? path : File.dirname(path), folder)
        made << extract_entry(path, body, mode, kind) { link_target(name, target, path, folder) }
      end
      File.chmod(dir_mode, *made.uniq) if dir_mode
    end

    private

    def read_spec
      raise FormatError, "No such file or directory @ rb_sysopen - #{@path}" unless @gem.present?
      require "zlib"
      made = Specification.from_yaml(Zlib.gunzip(files["metadata.gz"]).force_encoding("UTF-8"))
      raise FormatError, "#{@path}: metadata without name and version" unless made.name && made.version
      made.package = @path
      made
    rescue Gem::Exception, Psych::Exception, TypeError => error
      raise if error.is_a?(Error)
      raise FormatError, "#{@path}: #{error.message}"
    end

    def place_of(name, folder)
      path = File.expand_path(name, folder)
      raise PathError.new(name.start_with?("/") ? name : path, folder) if name.start_with?("/") || name.include?("\0") || !path.start_with?("#{folder}/")
      path
    end

    # A link that was in the folder before may lead out of it: what exists of a path must really lie inside.
    def refuse_way_out(path, folder)
      path = File.dirname(path) until File.exist?(path) || File.symlink?(path)
      real = File.realpath(path)
      raise PathError.new(real, folder) unless real == folder || real.start_with?("#{folder}/")
    rescue Errno::ENOENT
      raise PathError.new(path, folder)
    end

    def extract_entry(path, body, mode, kind)
      FileUtils.rm_rf(path) unless kind == "5"
      folder = kind == "5" ? path : File.dirname(path)
      FileUtils.mkdir_p(folder)
      case kind
      when "0", "\0"
        File.binwrite(path, body)
        File.chmod(file_mode(mode), path)
      when "1" then raise FormatError, "#{@path}: #{File.basename(path)} is a hard link"
      when "2" then File.symlink(yield, path)
      end
      verbose(path)
      folder
    end

    def file_mode(mode) = ((mode & 0o111).zero? ? data_mode : prog_mode) || mode & 0o755 | 0o600

    # Where the link will really lie counts, and a way back out of another link is none that can be told from its text.
    def link_target(name, target, path, folder)
      real = File.expand_path(target, File.realpath(File.dirname(path)))
      raise SymlinkError.new(name, real, folder) if !real.start_with?("#{folder}/") || target.match?(%r{(?:\A|/)(?!\.\.?(?:/|\z))[^/]+/(?:.*/)?\.\.(?:/|\z)})
      target
    end

    # The keys and certificates that the specification names, or those of the user.
    def setup_signer
      @signer = nil
      return unless @spec.signing_key || File.exist?(Gem.default_key_path)
      require "rubygems/security"
      chain = @spec.signing_key ? @spec.cert_chain : nil
      @signer = Security::Signer.new(@spec.signing_key, chain, ENV["GEM_PRIVATE_KEY_PASSPHRASE"], expiration_length_days: Gem.configuration.cert_expiration_length_days)
      @spec.signing_key = nil
      @spec.cert_chain = @signer.cert_chain.map(&:to_pem) if @signer.cert_chain
    end

    # A policy is asked once: what it warns of is said once.
    def allow(spec)
      return if @security_policy.nil? || @security_policy.equal?(@allowed_by)
      verify_signatures(spec)
      @allowed_by = @security_policy
    end

    # A policy gets the digests of the parts, and the signatures that lie beside them.
    def verify_signatures(spec)
      require "rubygems/security"
      signed = files.keys.grep(/\.sig\z/)
      digests = files.except(*signed).transform_values { |bytes| Security.create_digest << bytes }
      @security_policy.verify_signatures(spec, { Security::DIGEST_NAME => digests }, signed.to_h { |name| [name.delete_suffix(".sig"), files[name]] })
    end

    def write_parts(tar)
      parts = { "metadata.gz" => packed(@spec.to_yaml), "data.tar.gz" => packed(contents_tar) }
      parts["checksums.yaml.gz"] = packed(checksums_of(parts))
      parts.each do |name, bytes|
        tar.add_file_simple(name, 0o444, bytes.bytesize) { |out| out.write(bytes) }
        next unless @signer&.key
        signature = @signer.sign((Security.create_digest << bytes).digest)
        tar.add_file_simple("#{name}.sig", 0o444, signature.bytesize) { |out| out.write(signature) }
      end
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
  end
end
