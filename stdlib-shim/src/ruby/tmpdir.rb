require "fileutils"
require "etc"

class Dir
  # Names for files that are there for a while.
  module Tmpname
    module_function

    def tmpdir = Dir.tmpdir

    # What is left out of names, for String#delete.
    UNUSABLE_CHARS = "^,-.0-9A-Z_a-z~"

    def create(basename, tmpdir = nil, max_try: nil, **options)
      given = tmpdir
      tmpdir ||= tmpdir()
      prefix, suffix = basename
      prefix = (String.try_convert(prefix) or raise ArgumentError, "unexpected prefix: #{prefix.inspect}").delete(UNUSABLE_CHARS)
      suffix &&= (String.try_convert(suffix) or raise ArgumentError, "unexpected suffix: #{suffix.inspect}").delete(UNUSABLE_CHARS)
      tries = 0
      number = nil
      begin
        name = "#{prefix}#{Time.now.strftime("%Y%m%d")}-#{$$}-#{::Random.urandom(4).unpack1("L").to_s(36)}#{"-#{number}" if number}#{suffix}"
        path = File.join(tmpdir, name)
        yield(path, number, options, given)
      rescue Errno::EEXIST
        number = tries += 1
        retry if !max_try || tries < max_try
        raise "cannot generate temporary name using `#{basename}' under `#{tmpdir}'"
      end
      path
    end
  end

  def self.tmpdir
    places = %w[TMPDIR TMP TEMP].map { |name| [name, ENV[name]] }
    places.push(["system temporary path", Etc.systmpdir], ["/tmp", "/tmp"], [".", "."])
    places.each do |name, dir|
      next unless dir
      dir = File.expand_path(dir)
      stat = File.stat(dir) rescue next
      if !stat.directory? then warn "#{name} is not a directory: #{dir}"
      elsif !stat.writable? then warn "#{name} is not writable: #{dir}"
      elsif stat.world_writable? && !stat.sticky? then warn "#{name} is world-writable: #{dir}"
      else return dir
      end
    end
    raise ArgumentError, "could not find a temporary directory"
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
