require "fileutils"
require "etc"

class Dir
  # Names for files that are there for a while.
  module Tmpname
    module_function

    def tmpdir = Dir.tmpdir

    def create(basename, tmpdir = nil, max_try: nil, **options)
      prefix, suffix = basename.is_a?(Array) ? basename : [basename, ""]
      prefix = (String.try_convert(prefix) or raise ArgumentError, "unexpected prefix: #{prefix.inspect}").delete("#{File::SEPARATOR}")
      suffix &&= (String.try_convert(suffix) or raise ArgumentError, "unexpected suffix: #{suffix.inspect}").delete("#{File::SEPARATOR}")
      require "securerandom"
      tries = 0
      number = nil
      begin
        name = "#{prefix}#{Time.now.strftime("%Y%m%d")}-#{$$}-#{SecureRandom.alphanumeric(6).downcase}#{"-#{number}" if number}#{suffix}"
        path = File.join(tmpdir || Dir.tmpdir, name)
        yield(path, number, options)
      rescue Errno::EEXIST
        number = tries += 1
        retry if !max_try || tries < max_try
        raise "cannot generate temporary name using `#{basename}' under `#{tmpdir}'"
      end
      path
    end
  end

  def self.tmpdir
    found = [ENV["TMPDIR"], ENV["TMP"], ENV["TEMP"], "/tmp", "."].compact.find do |dir|
      stat = File.stat(dir) rescue next
      stat.directory? && stat.writable? && (!stat.world_writable? || stat.sticky?)
    end
    found ? File.expand_path(found) : raise(ArgumentError, "could not find a temporary directory")
  end

  def self.mktmpdir(prefix_suffix = nil, *rest, **options)
    path = Tmpname.create(prefix_suffix || "d", *rest, **options) { |name| mkdir(name, 0o700) }
    return path unless block_given?
    begin
      yield path.dup
    ensure
      FileUtils.remove_entry(path)
    end
  end
end
