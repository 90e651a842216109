require "pathname/native"

class Pathname
  SEPARATOR_LIST = "/"
  SEPARATOR_PAT = /\//
  TO_PATH = :to_path

  # What MRI's C code makes, which does not ask a `new` that was put into the class.
  MAKING = Class.instance_method(:new)
  private_constant :MAKING
  def self.made(path) = MAKING.bind_call(self, path)
  private_class_method :made
  def made(path) = MAKING.bind_call(self.class, path)
  private :made

  def self.pwd = made(Dir.pwd)
  def self.getwd = pwd
  def self.glob(*args, **options)
    found = Dir.glob(*args, **options).map { |path| made(path) }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end

  # The text of a path as a String; TypeError for nil and what else is none, as a path made of it would be another one.
  def text_of(path)
    path = path.to_path if path.respond_to?(:to_path)
    path = path.to_str if !path.is_a?(String) && path.respond_to?(:to_str)
    raise TypeError, "no implicit conversion of #{[nil, true, false].include?(path) ? path.inspect : path.class} into String" unless path.is_a?(String)
    path
  end
  private :text_of

  def initialize(path)
    path = text_of(path)
    raise ArgumentError, "pathname contains null byte" if path.include?("\0")
    @path = path.dup
    self
  end

  def to_s = @path.dup
  alias to_path to_s
  def inspect = "#<Pathname:#{@path}>"
  def ==(other) = other.is_a?(Pathname) && @path == other.to_s
  alias eql? ==
  alias === ==
  def <=>(other) = other.is_a?(Pathname) ? @path.tr("/", "\0") <=> other.to_s.tr("/", "\0") : nil
  def hash = @path.hash
  def absolute? = @path.start_with?("/")
  def relative? = !absolute?
  undef =~
  def root? = @path.match?(%r{\A/+\z})
  def parent = self + ".."
  %i[taint untaint].each do |name|
    define_method(name) do
      warn("Pathname##{name} is deprecated and will be removed in Ruby 3.2.", uplevel: 1, category: :deprecated)
      self
    end
  end
  def sub_ext(ext) = made(@path.delete_suffix(File.extname(@path)) + ext)

  # Without "." and empty parts. A part before ".." may be a symbolic link: it stays then, and so does what only a directory has at its end.
  def cleanpath(consider_symlink = false) = consider_symlink ? cleanpath_conservative : cleanpath_aggressive

  def cleanpath_aggressive
    parts = []
    @path.split("/").each do |part|
      next if part.empty? || part == "."
      part == ".." && !parts.empty? && parts.last != ".." ? parts.pop : (parts << part unless part == ".." && absolute?)
    end
    self.class.new(absolute? ? "/#{parts.join("/")}" : (parts.empty? ? "." : parts.join("/")))
  end

  def cleanpath_conservative
    parts = @path.split("/").reject { |part| part.empty? || part == "." }
    parts.shift while absolute? && parts.first == ".."
    return self.class.new(absolute? ? "/" : ".") if parts.empty?
    if parts.last != ".."
      ending = "/." if File.basename(@path) == "."
      ending ||= "/" if has_trailing_separator?(@path)
    end
    self.class.new("#{"/" if absolute?}#{parts.join("/")}#{ending}")
  end

  # What stands before the last part, and the last part; nil for the root and an empty path.
  def chop_basename(path)
    base = File.basename(path)
    base.match?(%r{\A/?\z}) ? nil : [path[0, path.rindex(base)], base]
  end

  def has_trailing_separator?(path)
    before, base = chop_basename(path)
    !before.nil? && before.size + base.size < path.size
  end

  def del_trailing_separator(path)
    before, base = chop_basename(path)
    return before + base if before
    path.end_with?("/") ? path.sub(%r{/+\z}, "") + File.dirname(path)[%r{/*\z}] : path
  end
  private :cleanpath_aggressive, :cleanpath_conservative, :chop_basename, :has_trailing_separator?, :del_trailing_separator

  def +(other)
    other = Pathname.new(other) unless other.is_a?(Pathname)
    tail = other.to_s
    return Pathname.new(tail) if tail.start_with?("/")
    base = @path.empty? ? "." : @path.sub(%r{(?<=[^/])/+\z}, "")
    while (match = tail.match(%r{\A\.\.(?:/+|\z)})) && File.basename(base) != ".." && base != "."
      tail = match.post_match
      base = File.dirname(base)
    end
    tail = tail.sub(%r{\A(?:\./+)+}, "")
    return Pathname.new(base) if tail.empty? || tail == "."
    Pathname.new(base == "." ? tail : File.join(base, tail))
  end
  alias / +

  # From the last part on, so that nothing before an absolute one is looked at.
  def join(*parts)
    return self if parts.empty?
    tail = nil
    parts.reverse_each do |part|
      part = Pathname.new(part) unless part.is_a?(Pathname)
      tail = tail ? part + tail : part
      return tail if tail.absolute?
    end
    self + tail
  end

  def each_filename
    return to_enum(:each_filename) unless block_given?
    @path.split("/").each { |part| yield part unless part.empty? }
    nil
  end

  def children(with_directory = true)
    Dir.children(@path).map { |name| with_directory && @path != "." ? self.class.new(File.join(@path, name)) : self.class.new(name) }
  end

  def each_child(with_directory = true, &block) = children(with_directory).each(&block)

  def relative_path_from(base)
    base = Pathname.new(base) unless base.is_a?(Pathname)
    to = cleanpath.to_s.split("/").reject { |part| part.empty? || part == "." }
    clean = base.cleanpath
    from = clean.to_s.split("/").reject { |part| part.empty? || part == "." }
    if absolute? != clean.absolute?
      raise ArgumentError, "different prefix: #{(absolute? ? "/" : "").inspect} and #{base.to_s.inspect}"
    end
    while !from.empty? && from.first == to.first
      from.shift
      to.shift
    end
    raise ArgumentError, "base_directory has ..: #{base.inspect}" if from.include?("..")
    parts = [".."] * from.size + to
    Pathname.new(parts.empty? ? "." : parts.join("/"))
  end

  def ascend
    return enum_for(:ascend) unless block_given?
    path = self
    loop do
      yield path
      up = File.dirname(path.to_s)
      break if up == path.to_s || (up == "." && !path.to_s.start_with?("./"))
      path = self.class.new(up)
    end
  end

  def descend
    return enum_for(:descend) unless block_given?
    ascend.to_a.reverse_each { |path| yield path }
    nil
  end

  %i(stat lstat mtime ctime atime birthtime ftype).each { |name| define_method(name) { File.public_send(name, @path) } }
  %i(exist? file? directory? symlink? readable? writable? executable? readable_real? writable_real? executable_real? world_readable? world_writable? zero? size size? owned? grpowned? setuid? setgid? sticky? socket? pipe? blockdev? chardev?).each { |name| define_method(name) { FileTest.public_send(name, @path) } }
  %i(basename expand_path realpath realdirpath).each { |name| define_method(name) { |*args| made(File.public_send(name, @path, *args)) } }
  def dirname = made(File.dirname(@path))
  def readlink = made(File.readlink(@path))
  %i(read binread readlines write binwrite).each { |name| define_method(name) { |*args, **options| File.public_send(name, @path, *args, **options) } }
  def extname = File.extname(@path)
  def each_line(*args, **options, &block) = File.foreach(@path, *args, **options, &block)
  def open(*args, **options, &block) = File.open(@path, *args, **options, &block)
  def fnmatch?(pattern, *args) = File.fnmatch?(pattern, @path, *args)
  alias fnmatch fnmatch?
  def chmod(mode) = File.chmod(mode, @path)
  def chown(user, group) = File.chown(user, group, @path)
  def rename(to) = File.rename(@path, text_of(to))
  def truncate(size) = File.truncate(@path, size)
  def unlink = directory? && !symlink? ? Dir.unlink(@path) : File.unlink(@path)
  alias delete unlink
  def mkdir(*args) = Dir.mkdir(@path, *args)
  def rmdir = Dir.rmdir(@path)
  def entries = Dir.entries(@path).map { |name| made(name) }
  def each_entry(&block)
    found = entries
    block ? found.each(&block) : raise(LocalJumpError, "no block given")
  end
  def opendir(&block) = Dir.open(@path, &block)
  def utime(atime, mtime) = File.utime(atime, mtime, @path)
  def lchmod(mode) = File.lchmod(mode, @path)
  def lchown(user, group) = File.lchown(user, group, @path)
  def make_link(target) = File.link(text_of(target), @path)
  def split
    parts = File.split(@path)
    raise TypeError, "wrong argument type #{parts.nil? ? "nil" : parts.class} (expected Array)" unless parts.is_a?(Array)
    parts.map { |part| made(part) }
  end
  def sysopen(*args) = IO.sysopen(@path, *args)
  def freeze = super.tap { @path.freeze }

  # Whether another file system begins here.
  def mountpoint?
    here, above = lstat, (self + "..").lstat
    here.dev != above.dev || here.ino == above.ino
  rescue Errno::ENOENT
    false
  end

  # This path and all below it, as Find has them.
  def find(ignore_error: true)
    return to_enum(:find, ignore_error: ignore_error) unless block_given?
    require "find"
    Find.find(@path, ignore_error: ignore_error) { |path| yield self.class.new(@path == "." ? path.delete_prefix("./") : path) }
  end

  def empty? = directory? ? Dir.empty?(@path) : File.empty?(@path)
  # Paths below this one that match the pattern.
  def glob(pattern, flags = 0)
    found = Dir.glob(pattern, flags, base: @path).map { |path| self + path }
    return found unless block_given?
    found.each { |path| yield path }
    nil
  end
  def make_symlink(target) = File.symlink(text_of(target), @path)

  def mkpath(mode: nil)
    require "fileutils"
    FileUtils.mkdir_p(@path, mode: mode)
    nil
  end

  def rmtree
    require "fileutils"
    FileUtils.rm_r(@path)
    nil
  end
end

module Kernel
  def Pathname(path) = path.is_a?(Pathname) ? path : Pathname.__send__(:made, path)
  module_function :Pathname
end
