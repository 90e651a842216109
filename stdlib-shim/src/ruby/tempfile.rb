require "delegate"
require "tmpdir"

# A file with a name of its own, gone when it is closed for good.
class Tempfile < DelegateClass(File)
  # With a block it is closed after it; the file stays until it is unlinked, at the latest by the end of the program.
  def self.open(*args, **options)
    file = new(*args, **options)
    return file unless block_given?
    begin
      yield file
    ensure
      file.close
    end
  end

  # A plain File that the caller unlinks; with a block, the end of the block does.
  def self.create(basename = "", tmpdir = nil, mode: 0, **options)
    file = nil
    ::Dir::Tmpname.create(basename, tmpdir) do |path, _, _|
      file = ::File.open(path, mode | ::File::RDWR | ::File::CREAT | ::File::EXCL, 0o600, **options)
    end
    return file unless block_given?
    path = file.path
    begin
      yield file
    ensure
      file.close unless file.closed?
      ::File.unlink(path) if ::File.exist?(path)
    end
  end

  def initialize(basename = "", tmpdir = nil, mode: 0, **options)
    warn "Tempfile.new doesn't call the given block.", uplevel: 1 if block_given?
    @unlinked = false
    @mode = mode | ::File::RDWR | ::File::CREAT | ::File::EXCL
    ::Dir::Tmpname.create(basename, tmpdir, **options) do |path, _, opts|
      opts[:perm] = 0o600
      @tmpfile = ::File.open(path, @mode, **opts)
      @opts = opts.freeze
    end
    # what is left at the end of the program goes with it
    ObjectSpace.define_finalizer(self, Remover.new(@tmpfile))
    super(@tmpfile)
  end

  # What unlinks the file in the end, in the process that has made it.
  class Remover
    def initialize(tmpfile)
      @pid = Process.pid
      @tmpfile = tmpfile
    end

    def call(*)
      return if @pid != Process.pid
      @tmpfile.close
      ::File.unlink(@tmpfile.path)
    rescue SystemCallError
      nil
    end
  end

  def path = @unlinked ? nil : @tmpfile.path
  # The name may be gone while the file is open.
  def size = @tmpfile.closed? ? ::File.size(@tmpfile.path) : @tmpfile.size
  alias length size

  def close(unlink_now = false)
    _close
    unlink if unlink_now
  end

  def close! = close(true)

  def unlink
    return if @unlinked
    begin
      ::File.unlink(@tmpfile.path)
    rescue Errno::ENOENT
      nil
    rescue Errno::EACCES
      return
    end
    ObjectSpace.undefine_finalizer(self)
    @unlinked = true
  end
  alias delete unlink

  # Opens it anew, at its beginning.
  def open
    _close
    @tmpfile = ::File.open(@tmpfile.path, @mode & ~(::File::CREAT | ::File::EXCL), **@opts)
    __setobj__(@tmpfile)
  end

  def inspect = "#<#{self.class}:#{path}#{" (closed)" if @tmpfile.closed?}>"

  protected

  def _close = @tmpfile.close
end
