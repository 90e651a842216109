require "tmpdir"
require "securerandom"

class Tempfile < File
  def self.new(basename = "", tmpdir = nil, mode: 0, **options)
    prefix, suffix = basename.is_a?(Array) ? basename : [basename, ""]
    path = ::File.join(tmpdir || Dir.tmpdir, "#{prefix}#{Time.now.strftime("%Y%m%d")}-#{Process.pid}-#{SecureRandom.alphanumeric(6).downcase}#{suffix}")
    super(path, mode | RDWR | CREAT | EXCL, 0o600)
  end

  def self.open(*args, **options)
    file = new(*args, **options)
    return file unless block_given?
    begin
      yield file
    ensure
      file.close!
    end
  end

  def self.create(basename = "", tmpdir = nil, **options)
    file = new(basename, tmpdir, **options)
    return file unless block_given?
    begin
      yield file
    ensure
      file.close!
    end
  end

  def path = @unlinked ? nil : super
  def length = (flush unless closed?; ::File.size(path))
  alias size length

  def close(unlink_now = false)
    super() unless closed?
    unlink if unlink_now
    nil
  end

  def close! = close(true)

  def unlink
    return if @unlinked
    ::File.unlink(path) if ::File.exist?(path)
    @unlinked = true
  end
  alias delete unlink

  def open
    reopen(path, "r+")
    self
  end
end
