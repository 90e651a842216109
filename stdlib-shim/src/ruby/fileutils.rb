# FileUtils: the shell's commands on files. Each method that changes something knows `noop:`; with `verbose:` it prints the shell's form of itself.
module FileUtils
  VERSION = "1.6.0"

  # Options of each command, in its order of arguments.
  OPT_TABLE = {
    cd: %i(verbose), mkdir: %i(mode noop verbose), mkdir_p: %i(mode noop verbose), rmdir: %i(parents noop verbose), ln: %i(force noop verbose), ln_s: %i(force noop verbose),
    ln_sf: %i(noop verbose), cp: %i(preserve noop verbose), cp_r: %i(preserve noop verbose dereference_root remove_destination),
    cp_lr: %i(noop verbose dereference_root remove_destination), mv: %i(force noop verbose secure), rm: %i(force noop verbose), rm_f: %i(noop verbose),
    rm_r: %i(force noop verbose secure), rm_rf: %i(noop verbose secure), install: %i(mode owner group preserve noop verbose), chmod: %i(noop verbose), chmod_R: %i(noop verbose force),
    chown: %i(noop verbose), chown_R: %i(noop verbose force), touch: %i(noop verbose mtime nocreate)
  }
  ALIASES = {
    chdir: :cd, makedirs: :mkdir_p, mkpath: :mkdir_p, link: :ln, symlink: :ln_s, copy: :cp, move: :mv, remove: :rm, safe_unlink: :rm_f, rmtree: :rm_rf
  }.freeze
  ALIASES.each { |name, of| OPT_TABLE[name] = OPT_TABLE[of] }
  %i(pwd getwd cmp compare_file compare_stream identical? uptodate? copy_entry copy_file copy_stream link_entry remove_dir remove_entry remove_entry_secure remove_file).each { |name| OPT_TABLE[name] = [] }
  OPT_TABLE.transform_keys!(&:to_s).freeze
  METHODS = OPT_TABLE.keys.map(&:to_sym).freeze
  private_constant :ALIASES

  def self.commands = OPT_TABLE.keys
  def self.options = OPT_TABLE.values.flatten.uniq.map(&:to_s)
  def self.have_option?(command, option) = OPT_TABLE.fetch(command.to_s).include?(option.to_sym)
  def self.options_of(command) = OPT_TABLE.fetch(command.to_s).map(&:to_s)
  def self.collect_method(option) = OPT_TABLE.select { |_, options| options.include?(option.to_sym) }.keys
  def self.private_module_function(name)
    module_function(name)
    private_class_method(name)
  end

  # What copying streams asks of the platform and of a file.
  module StreamUtils_
    private

    def fu_windows? = false
    def fu_default_blksize = 1024
    def fu_stream_blksize(*streams)
      stream = streams.find { |each| each.respond_to?(:stat) && fu_blksize(each.stat) }
      stream ? fu_blksize(stream.stat) : fu_default_blksize
    end
    def fu_blksize(stat) = stat.blksize&.nonzero?
    def fu_copy_stream0(source, target, _block_size = nil) = IO.copy_stream(source, target)
  end
  include StreamUtils_
  extend StreamUtils_

  module_function

  def pwd = Dir.pwd

  def cd(dir, verbose: nil, &block)
    fu_output_message("cd #{dir}") if verbose
    result = Dir.chdir(dir, &block)
    fu_output_message("cd -") if verbose && block
    result
  end

  def mkdir(list, mode: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("mkdir #{fu_mode_option(mode)}#{list.join(" ")}") if verbose
    return if noop
    list.each { |path| fu_mkdir(path, mode) }
  end

  def mkdir_p(list, mode: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("mkdir -p #{fu_mode_option(mode)}#{list.join(" ")}") if verbose
    return list if noop
    list.each do |path|
      missing = []
      until File.directory?(path)
        missing << path
        parent = File.dirname(path)
        break if parent == path
        path = parent
      end
      missing.reverse_each do |each|
        begin
          fu_mkdir(each, mode)
        rescue SystemCallError
          raise unless File.directory?(each)
        end
      end
    end
  end

  def rmdir(list, parents: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("rmdir #{"-p " if parents}#{list.join(" ")}") if verbose
    return if noop
    list.each do |path|
      path = path.chomp("/") unless path == "/"
      Dir.rmdir(path)
      next unless parents
      begin
        until (path = File.dirname(path)) == "." || path == "/"
          Dir.rmdir(path)
        end
      rescue Errno::ENOTEMPTY, Errno::EEXIST, Errno::ENOENT
        nil
      end
    end
  end

  def ln(source, target, force: nil, noop: nil, verbose: nil)
    fu_output_message("ln#{" -f" if force} #{[source, target].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest0(source, target) do |from, to|
      remove_file(to, true) if force
      File.link(from, to)
    end
  end

  def ln_s(source, target, force: nil, noop: nil, verbose: nil)
    fu_output_message("ln -s#{"f" if force} #{[source, target].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest0(source, target) do |from, to|
      remove_file(to, true) if force
      File.symlink(from, to)
    end
  end
  def ln_sf(source, target, noop: nil, verbose: nil) = ln_s(source, target, force: true, noop: noop, verbose: verbose)

  def link_entry(source, target, dereference_root = false, remove_destination = false)
    fu_tree(source, target, dereference_root, remove_destination) { |from, to| File.link(from, to) }
  end

  def cp(source, target, preserve: nil, noop: nil, verbose: nil)
    fu_output_message("cp#{" -p" if preserve} #{[source, target].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest(source, target) { |from, to| copy_file(from, to, preserve) }
  end

  def cp_r(source, target, preserve: nil, noop: nil, verbose: nil, dereference_root: true, remove_destination: nil)
    fu_output_message("cp -r#{"p" if preserve}#{" --remove-destination" if remove_destination} #{[source, target].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest(source, target) { |from, to| copy_entry(from, to, preserve, dereference_root, remove_destination) }
  end

  def cp_lr(source, target, noop: nil, verbose: nil, dereference_root: true, remove_destination: false)
    fu_output_message("cp -lr#{" --remove-destination" if remove_destination} #{[source, target].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest(source, target) { |from, to| link_entry(from, to, dereference_root, remove_destination) }
  end

  def copy_entry(source, target, preserve = false, dereference_root = false, remove_destination = false)
    fu_tree(source, target, dereference_root, remove_destination, preserve) { |from, to| fu_copy(from, to) }
    nil
  end

  def copy_file(source, target, preserve = false, dereference = true)
    if !dereference && File.symlink?(source)
      File.symlink(File.readlink(source), target)
    else
      fu_copy_contents(source, target)
    end
    fu_keep(source, target, dereference) if preserve
    nil
  end

  def copy_stream(source, target) = IO.copy_stream(source, target)

  def mv(source, target, force: nil, noop: nil, verbose: nil, secure: nil)
    fu_output_message("mv#{" -f" if force} #{[source, target].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest(source, target) do |from, to|
      begin
        raise Errno::EEXIST, to if File.directory?(to) && !File.symlink?(to)
        begin
          File.rename(from, to)
        rescue Errno::EXDEV, Errno::EPERM
          copy_entry(from, to, true)
          secure ? remove_entry_secure(from, force) : remove_entry(from, force)
        end
      rescue SystemCallError
        raise unless force
      end
    end
  end

  def rm(list, force: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("rm#{" -f" if force} #{list.join(" ")}") if verbose
    return if noop
    list.each { |path| remove_file(path, force) }
  end
  def rm_f(list, noop: nil, verbose: nil) = rm(list, force: true, noop: noop, verbose: verbose)

  def rm_r(list, force: nil, noop: nil, verbose: nil, secure: nil)
    list = fu_list(list)
    fu_output_message("rm -r#{"f" if force} #{list.join(" ")}") if verbose
    return if noop
    list.each { |path| remove_entry(path, force) }
  end
  def rm_rf(list, noop: nil, verbose: nil, secure: nil) = rm_r(list, force: true, noop: noop, verbose: verbose, secure: secure)

  def remove_file(path, force = false)
    File.unlink(path)
  rescue SystemCallError
    raise unless force
  end

  def remove_entry(path, force = false)
    if File.directory?(path) && !File.symlink?(path)
      begin
        Dir.children(path).each { |name| remove_entry(File.join(path, name), force) }
      rescue SystemCallError
        raise unless force
      end
      Dir.rmdir(path)
    else
      File.unlink(path)
    end
    nil
  rescue SystemCallError
    raise unless force
  end
  def remove_entry_secure(path, force = false) = remove_entry(path, force)
  def remove_dir(path, force = false) = remove_entry(path, force)

  def install(source, target, mode: nil, owner: nil, group: nil, preserve: nil, noop: nil, verbose: nil)
    if verbose
      text = +"install -c"
      text << " -p" if preserve
      text << " -m #{fu_mode_text(mode)}" if mode
      text << " -o #{owner}" if owner
      text << " -g #{group}" if group
      fu_output_message("#{text} #{[source, target].flatten.join(" ")}")
    end
    return if noop
    uid, gid = fu_get_uid(owner), fu_get_gid(group)
    fu_each_src_dest(source, target) do |from, to|
      stat = File.stat(from)
      next if File.exist?(to) && compare_file(from, to)
      remove_file(to, true)
      copy_file(from, to)
      File.utime(stat.atime, stat.mtime, to) if preserve
      File.chmod(fu_mode(mode, stat), to) if mode
      File.chown(uid, gid, to) if uid || gid
    end
  end

  def chmod(mode, list, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("chmod #{fu_mode_text(mode)} #{list.join(" ")}") if verbose
    return if noop
    list.each { |path| File.chmod(fu_mode(mode, mode.is_a?(Integer) ? nil : File.stat(path)), path) }
  end

  def chmod_R(mode, list, noop: nil, verbose: nil, force: nil)
    list = fu_list(list)
    fu_output_message("chmod -R#{"f" if force} #{fu_mode_text(mode)} #{list.join(" ")}") if verbose
    return if noop
    list.each do |path|
      fu_walk(path) do |entry|
        begin
          File.chmod(fu_mode(mode, File.stat(entry)), entry) unless File.symlink?(entry)
        rescue SystemCallError
          raise unless force
        end
      end
    end
  end

  def chown(user, group, list, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("chown #{fu_owner_text(user, group)} #{list.join(" ")}") if verbose
    return if noop
    uid, gid = fu_get_uid(user), fu_get_gid(group)
    list.each { |path| File.chown(uid, gid, path) }
  end

  def chown_R(user, group, list, noop: nil, verbose: nil, force: nil)
    list = fu_list(list)
    fu_output_message("chown -R#{"f" if force} #{fu_owner_text(user, group)} #{list.join(" ")}") if verbose
    return if noop
    uid, gid = fu_get_uid(user), fu_get_gid(group)
    list.each do |path|
      fu_walk(path) do |entry|
        begin
          File.lchown(uid, gid, entry)
        rescue SystemCallError
          raise unless force
        end
      end
    end
  end

  def touch(list, noop: nil, verbose: nil, mtime: nil, nocreate: nil)
    list = fu_list(list)
    fu_output_message("touch #{"-c " if nocreate}#{mtime.strftime("-t %Y%m%d%H%M.%S ") if mtime}#{list.join(" ")}") if verbose
    return if noop
    list.each do |path|
      created = nocreate
      begin
        File.utime(mtime, mtime, path)
      rescue Errno::ENOENT
        raise if created
        File.open(path, "a") {}
        created = true
        retry if mtime
      end
    end
  end

  def compare_file(one, other)
    return false unless File.size(one) == File.size(other)
    File.open(one, "rb") { |first| File.open(other, "rb") { |second| compare_stream(first, second) } }
  end
  def compare_stream(one, other)
    loop do
      first, second = one.read(65_536), other.read(65_536)
      return false unless first == second
      return true if first.nil?
    end
  end

  def uptodate?(path, olds)
    return false unless File.exist?(path)
    time = File.mtime(path)
    olds.none? { |old| File.exist?(old) && File.mtime(old) > time }
  end

  { getwd: :pwd, cmp: :compare_file, identical?: :compare_file, **ALIASES }.each do |name, of|
    alias_method name, of
    module_function name
  end

  def fu_output_message(text)
    output = defined?(@fileutils_output) && @fileutils_output || $stdout
    output.puts("#{@fileutils_label if defined?(@fileutils_label)}#{text}")
  end

  def fu_path(path)
    File.path(path)
  end
  def fu_list(list) = [list].flatten.map { |path| fu_path(path) }

  def fu_mkdir(path, mode)
    path = remove_trailing_slash(path)
    return Dir.mkdir(path) unless mode
    Dir.mkdir(path, mode)
    File.chmod(mode, path)
  end

  # Each source with the place that it goes to.
  def fu_each_src_dest0(source, target)
    target = fu_path(target)
    if (sources = Array.try_convert(source))
      sources.each { |from| yield fu_path(from), File.join(target, File.basename(fu_path(from))) }
    else
      from = fu_path(source)
      yield from, File.directory?(target) ? File.join(target, File.basename(from)) : target
    end
  end
  def fu_each_src_dest(source, target)
    fu_each_src_dest0(source, target) do |from, to|
      raise ArgumentError, "same file: #{from} and #{to}" if fu_same?(from, to)
      yield from, to
    end
  end
  def fu_same?(one, other) = File.identical?(one, other)
  def fu_stat_identical_entry?(one, other) = one.dev == other.dev && one.ino == other.ino
  def fu_have_symlink? = true
  def remove_trailing_slash(path) = path == "/" ? path : path.chomp("/")

  # Walks a tree beside its copy; directories are made, all else is the block's.
  def fu_tree(source, target, dereference_root, remove_destination, preserve = false, &block)
    inside = File.directory?(source) && File.expand_path(target).start_with?("#{File.expand_path(source)}/")
    raise ArgumentError, "cannot copy directory #{source} to itself #{target}" if inside
    File.unlink(target) if remove_destination && (File.file?(target) || File.symlink?(target))
    if File.directory?(source) && (dereference_root || !File.symlink?(source))
      begin
        Dir.mkdir(target)
      rescue SystemCallError
        raise unless File.directory?(target)
      end
      Dir.children(source).each { |name| fu_tree(File.join(source, name), File.join(target, name), false, remove_destination, preserve, &block) }
      fu_keep(source, target) if preserve
    elsif dereference_root && File.symlink?(source)
      copy_file(source, target, preserve)
    else
      block.call(source, target)
      fu_keep(source, target, false) if preserve
    end
  end

  def fu_copy(source, target)
    stat = File.lstat(source)
    case stat.ftype
    when "file" then fu_copy_contents(source, target)
    when "link" then File.symlink(File.readlink(source), target)
    when "fifo" then File.mkfifo(target, stat.mode & 0o7777)
    else raise "unknown file type: #{source}"
    end
  end
  def fu_copy_contents(source, target)
    File.open(source, "rb") do |from|
      directory = from.stat.directory?
      File.open(target, "wb", from.stat.mode & 0o7777) do |to|
        raise Errno::EISDIR, "read" if directory
        IO.copy_stream(from, to)
      end
    end
  end

  def fu_keep(source, target, dereference = true)
    stat = dereference ? File.stat(source) : File.lstat(source)
    return if stat.symlink?
    File.utime(stat.atime, stat.mtime, target)
    mode = stat.mode & 0o7777
    begin
      File.chown(stat.uid, stat.gid, target)
    rescue Errno::EPERM
      # another's file loses its set-id bits
      mode &= 0o1777
    end
    File.chmod(mode, target)
  end

  def fu_walk(path, &block)
    block.call(path)
    Dir.children(path).each { |name| fu_walk(File.join(path, name), &block) } if File.directory?(path) && !File.symlink?(path)
  end

  def fu_get_uid(user)
    return user if user.nil? || user.is_a?(Integer)
    return user.to_i if user.to_s.match?(/\A\d+\z/)
    require "etc"
    Etc.getpwnam(user)&.uid
  end
  def fu_get_gid(group)
    return group if group.nil? || group.is_a?(Integer)
    return group.to_i if group.to_s.match?(/\A\d+\z/)
    require "etc"
    Etc.getgrnam(group)&.gid
  end

  def fu_owner_text(user, group) = group ? "#{user}:#{group}" : user || ":"
  def fu_mode_text(mode) = mode.is_a?(Integer) ? format("%o", mode) : mode
  def fu_mode_option(mode) = mode ? "-m #{format("%03o", mode)} " : ""

  FU_WHO = { "u" => 0o4700, "g" => 0o2070, "o" => 0o1007, "a" => 0o7777 }.freeze
  FU_BITS = { "r" => 0o444, "w" => 0o222, "x" => 0o111, "s" => 0o6000, "t" => 0o1000 }.freeze
  private_constant :FU_WHO, :FU_BITS

  # A mode as chmod(1) takes it, applied to what a file has.
  def fu_mode(mode, stat)
    return mode if mode.is_a?(Integer)
    mode.split(",").inject(stat.mode & 0o7777) do |made, clause|
      who, *steps = clause.split(/(?=[-+=])/)
      who, steps = "", [who, *steps] if who&.match?(/\A[-+=]/)
      raise ArgumentError, "invalid file mode: #{mode}" if steps.empty? || steps.any? { |step| step.match?(/[^-+=A-Za-z]/) } || who.match?(/[^A-Za-z]/)
      bad = who[/[^ugoa]/]
      raise ArgumentError, "invalid `who' symbol in file mode: #{bad}" if bad
      mask = (who.empty? ? "a" : who).each_char.inject(0) { |sum, each| sum | FU_WHO[each] }
      steps.inject(made) do |now, step|
        bits = step[1..].each_char.inject(0) do |sum, each|
          next sum if each == "X" && !stat.directory?
          each = "x" if each == "X"
          # what the owner, the group or the others have, for all three
          if (shift = { "u" => 6, "g" => 3, "o" => 0 }[each])
            next sum | ((made >> shift & 7) * 0o111)
          end
          sum | (FU_BITS[each] || raise(ArgumentError, "invalid `perm' symbol in file mode: #{each}"))
        end
        case step[0]
        when "+" then now | bits & mask
        when "-" then now & ~(bits & mask)
        else now & ~mask | bits & mask
        end
      end
    end
  end

  private_class_method(*singleton_methods(false).grep(/\Afu_/), :remove_trailing_slash)

  # Those that no option keeps from doing what they do, and FileUtils' own questions.
  LOW_METHODS = (singleton_methods(false) - collect_method(:noop).map(&:to_sym)).freeze

  # Its methods do nothing: they stand before those that cannot be told so.
  module LowMethods
    private

    LOW_METHODS.each { |name| define_method(name) { |*, **| nil } }
  end

  # The same methods with options that are always given.
  { Verbose: { verbose: true }, NoWrite: { noop: true }, DryRun: { noop: true, verbose: true } }.each do |name, always|
    copy = Module.new do
      include FileUtils
      include LowMethods if always[:noop]
      FileUtils.collect_method(always.keys.first).each do |command|
        given = always.slice(*OPT_TABLE[command])
        define_method(command) { |*args, **options, &block| super(*args, **options, **given, &block) }
      end
      private(*instance_methods(false))
      extend self
      singleton_class.send(:public, *METHODS)
    end
    const_set(name, copy)
  end
end
