require "delegate"
require "tmpdir"

# A file with a name of its own, gone when it is closed for good.
class Tempfile < File
  # MRI's Tempfile is no subclass of File: a `File.new` that code defines, as mocks do, does not make it.
  def self.new(...) = Class.instance_method(:new).bind_call(self, ...)

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
    Dir::Tmpname.create(basename, tmpdir) do |path, _, _|
      file = File.open(path, mode | RDWR | CREAT | EXCL, 0o600, **options)
    end
    return file unless block_given?
    path = file.path
    begin
      yield file
    ensure
      file.close unless file.closed?
      File.unlink(path) if File.exist?(path)
    end
  end

  def initialize(basename = "", tmpdir = nil, mode: 0, **options)
    @unlinked = false
    @tmp_mode = mode | RDWR | CREAT | EXCL
    @tmp_options = options
    Dir::Tmpname.create(basename, tmpdir) do |path, _, _|
      super(path, @tmp_mode, 0o600, **options)
      @tmp_path = path
    end
    # what is left at the end of the program goes with it; the key is not the file, which a finalizer would keep open
    ObjectSpace.define_finalizer(@tmp_key = Object.new, Remover.new(@tmp_path))
  end

  # What unlinks the file in the end.
  class Remover
    def initialize(path)
      @path = path
    end

    def call(*)
      ::File.unlink(@path)
    rescue SystemCallError
      nil
    end
  end

  def path = @unlinked ? nil : @tmp_path
  # The name may be gone while the file is open.
  def size = closed? ? ::File.size(@tmp_path) : super
  alias length size

  def close(unlink_now = false)
    _close
    unlink if unlink_now
  end

  def close! = close(true)

  def unlink
    return if @unlinked
    begin
      ::File.unlink(@tmp_path)
    rescue Errno::ENOENT
      nil
    rescue Errno::EACCES
      return
    end
    ObjectSpace.undefine_finalizer(@tmp_key)
    @unlinked = true
  end
  alias delete unlink

  def open
    _close
    reopen(@tmp_path, @tmp_mode & ~(CREAT | EXCL))
    self
  end

  def inspect = "#<#{self.class}:#{path}#{" (closed)" if closed?}>"

  protected

  def _close
    IO.instance_method(:close).bind_call(self) unless closed?
  end
end
