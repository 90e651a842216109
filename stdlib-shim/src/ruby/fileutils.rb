module FileUtils
  LOW_METHODS = []

  def pwd = Dir.pwd
  alias getwd pwd

  def cd(dir, verbose: nil, &block) = Dir.chdir(dir, &block)
  alias chdir cd

  def mkdir(list, mode: nil, noop: nil, verbose: nil)
    each_path(list) { |path| mode ? Dir.mkdir(path, mode) : Dir.mkdir(path) } unless noop
    list
  end

  def mkdir_p(list, mode: nil, noop: nil, verbose: nil)
    paths = [list].flatten.map { |path| File.path(path) }
    return list if noop
    paths.each do |path|
      path = path.chomp("/") unless path == "/"
      missing = []
      current = path
      until File.directory?(current)
        missing.unshift(current)
        parent = File.dirname(current)
        break if parent == current
        current = parent
      end
      missing.each do |dir|
        begin
          mode && dir == path ? Dir.mkdir(dir, mode) : Dir.mkdir(dir)
        rescue SystemCallError
          raise unless File.directory?(dir)
        end
      end
    end
    list.is_a?(Array) ? list : [list]
  end
  alias makedirs mkdir_p
  alias mkpath mkdir_p

  def rmdir(list, parents: nil, noop: nil, verbose: nil)
    each_path(list) { |path| Dir.rmdir(path) } unless noop
  end

  def ln(source, target, force: nil, noop: nil, verbose: nil)
    pairs(source, target) { |from, to| File.unlink(to) if force && File.exist?(to); File.link(from, to) } unless noop
    0
  end
  alias link ln

  def ln_s(source, target, force: nil, relative: false, noop: nil, verbose: nil)
    pairs(source, target) { |from, to| remove_file(to, true) if force; File.symlink(from, to) } unless noop
    0
  end
  alias symlink ln_s

  def ln_sf(source, target, **options) = ln_s(source, target, force: true, **options)

  def cp(source, target, preserve: nil, noop: nil, verbose: nil)
    pairs(source, target) { |from, to| copy_file(from, to, preserve) } unless noop
  end
  alias copy cp

  def cp_r(source, target, preserve: nil, noop: nil, verbose: nil, dereference_root: true, remove_destination: nil)
    return if noop
    pairs(source, target) do |from, to|
      remove_entry(to) if remove_destination && File.exist?(to)
      copy_entry(from, to, preserve, dereference_root)
    end
  end

  def copy_entry(from, to, preserve = false, dereference_root = false, remove_destination = false)
    if File.symlink?(from) && !dereference_root
      File.symlink(File.readlink(from), to)
    elsif File.directory?(from)
      Dir.mkdir(to) unless File.directory?(to)
      Dir.children(from).each { |name| copy_entry(File.join(from, name), File.join(to, name), preserve) }
    else
      copy_file(from, to)
    end
    keep_metadata(from, to) if preserve && !File.symlink?(to)
  end

  def copy_file(from, to, preserve = false, _dereference = true)
    raise Errno::EISDIR, "#{from}" if File.directory?(from)
    mode = File.stat(from).mode & 0o7777
    existed = File.exist?(to)
    File.open(to, "wb") { |out| out.write(File.binread(from)) }
    File.chmod(mode, to) unless existed
    keep_metadata(from, to) if preserve
  end

  def mv(source, target, force: nil, noop: nil, verbose: nil, secure: nil)
    return 0 if noop
    pairs(source, target) do |from, to|
      begin
        File.rename(from, to)
      rescue Errno::EXDEV
        copy_entry(from, to, true)
        rm_r(from)
      rescue SystemCallError
        raise unless force
      end
    end
    0
  end
  alias move mv

  def rm(list, force: nil, noop: nil, verbose: nil)
    each_path(list) { |path| remove_file(path, force) } unless noop
  end
  alias remove rm

  def rm_f(list, **options) = rm(list, force: true, **options)
  alias safe_unlink rm_f

  def rm_r(list, force: nil, noop: nil, verbose: nil, secure: nil)
    each_path(list) { |path| remove_entry(path, force) } unless noop
  end

  def rm_rf(list, **options) = rm_r(list, force: true, **options)
  alias rmtree rm_rf

  def remove_file(path, force = false)
    File.unlink(path)
  rescue SystemCallError
    raise unless force
  end

  def remove_entry(path, force = false)
    if File.directory?(path) && !File.symlink?(path)
      Dir.children(path).each { |name| remove_entry(File.join(path, name), force) }
      Dir.rmdir(path)
    else
      File.unlink(path)
    end
  rescue SystemCallError
    raise unless force
  end
  alias remove_entry_secure remove_entry
  alias remove_dir remove_entry

  def install(source, target, mode: nil, owner: nil, group: nil, preserve: nil, noop: nil, verbose: nil)
    return if noop
    pairs(source, target) do |from, to|
      copy_file(from, to, preserve)
      File.chmod(mode, to) if mode
      chown(owner, group, to) if owner || group
    end
  end

  def chmod(mode, list, noop: nil, verbose: nil)
    each_path(list) { |path| File.chmod(new_mode(mode, path), path) } unless noop
  end

  def chmod_R(mode, list, noop: nil, verbose: nil, force: nil)
    each_path(list) { |path| walk(path) { |entry| File.chmod(new_mode(mode, entry), entry) unless File.symlink?(entry) } } unless noop
  end

  def chown(user, group, list, noop: nil, verbose: nil)
    uid, gid = ids(user, group)
    each_path(list) { |path| File.chown(uid, gid, path) } unless noop
  end

  def chown_R(user, group, list, noop: nil, verbose: nil, force: nil)
    uid, gid = ids(user, group)
    each_path(list) { |path| walk(path) { |entry| File.lchown(uid, gid, entry) } } unless noop
  end

  def touch(list, noop: nil, verbose: nil, mtime: nil, nocreate: nil)
    return if noop
    time = mtime || Time.now
    each_path(list) do |path|
      begin
        File.utime(time, time, path)
      rescue Errno::ENOENT
        raise if nocreate
        File.open(path, "a") {}
        File.utime(time, time, path) if mtime
      end
    end
  end

  def compare_file(a, b) = File.size(a) == File.size(b) && File.binread(a) == File.binread(b)
  alias identical? compare_file
  alias cmp compare_file

  def uptodate?(path, olds) = File.exist?(path) && olds.none? { |old| File.exist?(old) && File.mtime(old) > File.mtime(path) }

  private

  def each_path(list)
    [list].flatten.each { |path| yield(File.path(path)) }
  end

  def pairs(source, target)
    target = target.respond_to?(:to_path) ? target.to_path : target
    many = source.is_a?(Array)
    raise Errno::ENOTDIR, target if many && !File.directory?(target)
    each_path(source) { |from| yield from, File.directory?(target) ? File.join(target, File.basename(from)) : target }
  end

  def walk(path, &block)
    yield path
    Dir.children(path).each { |name| walk(File.join(path, name), &block) } if File.directory?(path) && !File.symlink?(path)
  end

  def keep_metadata(from, to)
    stat = File.stat(from)
    File.utime(stat.atime, stat.mtime, to)
    begin
      File.chown(stat.uid, stat.gid, to)
    rescue Errno::EPERM
      nil
    end
    File.chmod(stat.mode & 0o7777, to)
  end

  def ids(user, group)
    require "etc"
    uid = user.nil? || user.is_a?(Integer) ? user : (/\A\d+\z/.match?(user.to_s) ? user.to_i : Etc.getpwnam(user.to_s).uid)
    gid = group.nil? || group.is_a?(Integer) ? group : (/\A\d+\z/.match?(group.to_s) ? group.to_i : Etc.getgrnam(group.to_s).gid)
    [uid, gid]
  end

  def new_mode(mode, path)
    return mode if mode.is_a?(Integer)
    stat = File.stat(path)
    made = stat.mode & 0o7777
    mode.split(",").each do |clause|
      match = /\A([ugoa]*)((?:[-+=][rwxXst]*)+)\z/.match(clause) or raise ArgumentError, "invalid symbolic file mode: #{mode}"
      who = match[1].empty? || match[1].include?("a") ? "ugo" : match[1]
      match[2].scan(/([-+=])([rwxXst]*)/) do |operator, permissions|
        who.each_char do |target|
          shift = { "u" => 6, "g" => 3, "o" => 0 }[target]
          bits = 0
          bits |= 4 << shift if permissions.include?("r")
          bits |= 2 << shift if permissions.include?("w")
          bits |= 1 << shift if permissions.include?("x") || (permissions.include?("X") && (stat.directory? || made & 0o111 != 0))
          bits |= { "u" => 0o4000, "g" => 0o2000, "o" => 0 }[target] if permissions.include?("s")
          bits |= 0o1000 if permissions.include?("t")
          case operator
          when "+" then made |= bits
          when "-" then made &= ~bits
          else made = (made & ~(7 << shift)) | bits
          end
        end
      end
    end
    made
  end

  public

  extend self
end
