require "ffi_yajl"
require "pathname"

module ChefConfig
  # Paths of Windows or of other platforms; `windows:` is the machine's own by default.
  class PathHelper
    WIN_MAX_PATH = 259
    BACKSLASH = "\\"
    LONG_PREFIX = '\\\\?\\'
    GLOB_CHARACTERS = /[\\{}\[\]*?]/
    SIP_EXCEPTIONS = %w(
      /System/Library/Caches /System/Library/Extensions /System/Library/Speech /usr/libexec/cups /usr/local /usr/share/man
    ).push("/System/Library/User Template").freeze

    class << self
      attr_writer :per_tool_home_environment

      def path_separator(windows: ChefUtils.windows?) = windows ? BACKSLASH : "/"

      def dirname(path, windows: ChefUtils.windows?)
        return ::File.dirname(path) unless windows

        folder = path.sub(%r{[/\\]+\z}, "")
        return path.empty? ? "." : BACKSLASH if folder.empty?

        slash = folder.rindex(%r{[/\\]})
        slash ? path[0..slash - 1] : "."
      end

      def join(*parts, windows: ChefUtils.windows?)
        slashes = windows ? '/\\\\' : "/"
        separator = path_separator(windows: windows)
        parts.flatten.inject do |path, part|
          "#{path.sub(/[#{slashes}]+$/, "")}#{separator}#{part.sub(/^[#{slashes}]+/, "")}"
        end
      end

      def validate_path(path, windows: ChefUtils.windows?)
        return path unless windows

        unless printable?(path)
          raise InvalidPath, "Path '#{path}' contains non-printable characters. Check that backslashes are escaped with another backslash " \
            "(e.g. C:\\\\Windows) in double-quoted strings."
        end
        windows_max_length_exceeded?(path) ? path.insert(0, LONG_PREFIX) : path
      end

      def windows_max_length_exceeded?(path) = !path.start_with?(LONG_PREFIX) && path.length > WIN_MAX_PATH
      def printable?(text) = !text.match?(/[^[:print:]]/)

      # An absolute path for comparisons.
      def canonical_path(path, add_prefix = true, windows: ChefUtils.windows?)
        full = ::File.absolute_path(path)
        return full unless windows

        full = full.tr("/", BACKSLASH)
        full = LONG_PREFIX + full if add_prefix && !full.start_with?(LONG_PREFIX)
        full.downcase
      end

      def cleanpath(path, windows: ChefUtils.windows?)
        clean = Pathname.new(path).cleanpath.to_s
        windows ? clean.tr("/", BACKSLASH) : clean.tr(BACKSLASH, "/")
      end

      def escapepath(path) = path.gsub(BACKSLASH) { BACKSLASH * 2 }
      def paths_eql?(one, other, windows: ChefUtils.windows?) = canonical_path(one, windows: windows) == canonical_path(other, windows: windows)

      def escape_glob(*parts, windows: ChefUtils.windows?)
        cleanpath(join(*parts, windows: windows), windows: windows).gsub(GLOB_CHARACTERS) { |found| BACKSLASH + found }
      end

      def escape_glob_dir(*parts)
        Pathname.new(join(*parts)).cleanpath.to_s.gsub(GLOB_CHARACTERS) { |found| BACKSLASH + found }
      end

      def relative_path_from(from, to, windows: ChefUtils.windows?)
        Pathname.new(cleanpath(to, windows: windows)).relative_path_from(Pathname.new(cleanpath(from, windows: windows)))
      end

      # A path below the first existing home directory.
      def home(*parts)
        folder = all_homes.first
        return unless folder

        path = ::File.join(folder, *parts)
        block_given? ? yield(path) : path
      end

      def all_homes(*parts, windows: ChefUtils.windows?)
        named = [@per_tool_home_environment, "CHEF_HOME"].compact.map { |name| ENV[name] }
        named.push(ENV["HOME"], ENV["HOMEDRIVE"].to_s + ENV["HOMEPATH"].to_s, ENV["HOMESHARE"].to_s + ENV["HOMEPATH"].to_s, ENV["USERPROFILE"]) if windows
        named << Dir.home if ENV["HOME"]
        folders = named.compact.map { |path| path.gsub(path_separator(windows: windows), "/") }
        paths = folders.select { |path| Dir.exist?(path) }.uniq.map { |path| ::File.join(path, *parts) }
        block_given? ? paths.each { |path| yield path } : paths
      end

      def is_sip_path?(path, _node = nil)
        ChefUtils.macos? && path.start_with?("/System", "/bin", "/sbin", "/usr")
      end

      def writable_sip_path?(path) = path.start_with?(*SIP_EXCEPTIONS)

      # The words of a command line; double quotes group words and are kept.
      def split_args(line)
        words = []
        word = +""
        line.scan(/\s*(?>([^\s\\"]+|"[^"]*")|(\S))(\s|\z)?/m) do |plain, single, stop|
          word << (plain || single)
          next unless stop

          words << word
          word = +""
        end
        words
      end
    end
  end
end


class Chef
  # JSON in the layout and with the messages of YAJL.
  class JSONCompat
    class << self
      def parse(source, options = {})
        FFI_Yajl::Parser.parse(source, options)
      rescue FFI_Yajl::ParseError => e
        raise Chef::Exceptions::JSON::ParseError, e.message
      end

      def from_json(source, options = {})
        found = parse(source, options)
        return found if found.is_a?(Hash) || found.is_a?(Array)

        raise Chef::Exceptions::JSON::ParseError, "Top level JSON object must be a Hash or Array. (actual: #{found.class})"
      end

      def to_json(object, options = nil)
        FFI_Yajl::Encoder.encode(object, options)
      rescue FFI_Yajl::EncodeError => e
        raise Chef::Exceptions::JSON::EncodeError, e.message
      end

      def to_json_pretty(object, options = nil)
        indent = options[:indent] if options.respond_to?(:key?) && options.key?(:indent)
        to_json(object, { pretty: true, indent: indent }.compact).chomp
      end
    end
  end

  class Util
    autoload :Diff, "chef/rchef/util_diff"

    class FileEdit
      attr_reader :original_pathname

      def initialize(path)
        raise ArgumentError, "File '#{path}' does not exist" unless File.exist?(path)
        @original_pathname = path
        @lines = File.readlines(path)
        @changed = false
      end

      def unwritten_changes? = @changed
      def file_edited? = @edited ? true : false

      def search_file_replace_line(regex, line) = replace(regex) { "#{line}\n" }
      def search_file_delete_line(regex) = delete(regex)
      def search_file_replace(regex, text) = replace(regex) { |old| old.gsub(pattern(regex), text) }
      def search_file_delete(regex) = replace(regex) { |old| old.gsub(pattern(regex), "") }

      def insert_line_after_match(regex, line)
        expression = pattern(regex)
        rebuild { |old| old.match?(expression) ? [old.end_with?("\n") ? old : "#{old}\n", "#{line}\n"] : [old] }
      end

      def insert_line_if_no_match(regex, line)
        expression = pattern(regex)
        return if @lines.any? { |old| old.match?(expression) }
        @lines[-1] = "#{@lines[-1]}\n" if @lines[-1] && !@lines[-1].end_with?("\n")
        @lines << "#{line}\n"
        @changed = true
      end

      def write_file
        return unless @changed
        FileUtils.cp(@original_pathname, "#{@original_pathname}.old", preserve: true)
        File.write(@original_pathname, @lines.join)
        @edited = true
        @changed = false
      end

      private

      def pattern(regex) = regex.is_a?(Regexp) ? regex : Regexp.new(regex)

      def rebuild(&block)
        made = @lines.flat_map(&block)
        @changed ||= made != @lines
        @lines = made
      end

      def replace(regex)
        expression = pattern(regex)
        rebuild { |old| [old.match?(expression) ? yield(old) : old] }
      end

      def delete(regex)
        expression = pattern(regex)
        rebuild { |old| old.match?(expression) ? [] : [old] }
      end
    end

    # Whether SELinux is enabled, and restoring security contexts.
    module Selinux
      include Chef::Mixin::ShellOut
      include Chef::Mixin::Which

      def selinux_enabled?
        @selinux_enabled = ask_selinuxenabled if @selinux_enabled.nil?
        @selinux_enabled
      end

      def restore_security_context(path, recursive = false)
        command = which("restorecon")
        return Chef::Log.warn("Can not find 'restorecon' on the system. Skipping selinux security context restore.") unless command

        shell_out!(command, ["-R", *("-r" if recursive), path])
      end

      private

      def ask_selinuxenabled
        command = which("selinuxenabled")
        return false unless command

        status = shell_out!(command, returns: [0, 1]).exitstatus
        raise "Unknown exit code from command #{command}: #{status}" unless [0, 1].include?(status)

        status.zero?
      end
    end

    PathHelper = ChefConfig::PathHelper
  end
end

class Chef
  class Util
    # Jobs that threads work off: blocks, which get a lock if they take an argument.
    class ThreadedJobQueue
      def initialize
        @queue = Queue.new
        @lock = Mutex.new
      end

      def <<(job) = @queue << job

      def process(concurrency = 10)
        workers = Array.new(concurrency) do
          Thread.new do
            while (job = @queue.pop)
              job.arity == 1 ? job.call(@lock) : job.call
            end
          end
        end
        concurrency.times { @queue << nil }
        workers.each(&:join)
      end
    end

    # Edits lines in memory; every method returns the number of changes.
    class Editor
      attr_reader :lines

      def initialize(lines) = @lines = lines.to_a.clone

      def append_line_after(search, line)
        before = @lines.length
        @lines = @lines.flat_map { |known| known.match(search) ? [known, line] : [known] }
        @lines.length - before
      end

      def append_line_if_missing(search, line)
        return 0 if @lines.any? { |known| known.match(search) }

        @lines << line
        1
      end

      def remove_lines(search)
        before = @lines.length
        @lines.reject! { |known| known.match(search) }
        before - @lines.length
      end

      def replace(search, text) = change(search) { |known| known.gsub(search, text) }
      def replace_lines(search, text) = change(search) { text }

      private

      def change(search)
        count = 0
        @lines.map! { |known| known.match(search) ? (count += 1) && yield(known) : known }
        count
      end
    end

    # Backs up a file before it is changed, and deletes old backups.
    class Backup
      attr_reader :new_resource
      attr_accessor :path

      def initialize(new_resource, path = nil)
        @new_resource = new_resource
        @path = path || new_resource.path
      end

      def backup!
        kept = new_resource.backup
        return unless kept && kept > 0 && ::File.exist?(path)

        do_backup
        (sorted_backup_files[kept..] || []).each { |file| delete_backup(file) }
      end

      private

      def backup_filename
        @backup_filename ||= begin
          now = Time.now
          "#{path}.chef-#{now.strftime("%Y%m%d%H%M%S")}.#{format("%6f", now.to_f).split(".")[1]}"
        end
      end

      def backup_path = @backup_path ||= ::File.join(Chef::Config[:file_backup_path].to_s, backup_filename)

      def do_backup
        FileUtils.mkdir_p(::File.dirname(backup_path)) if Chef::Config[:file_backup_path]
        FileUtils.cp(path, backup_path, preserve: true)
        Chef::Log.info("#{new_resource} backed up to #{backup_path}")
      end

      def delete_backup(file)
        FileUtils.rm(file)
        Chef::Log.info("#{new_resource} removed backup at #{file}")
      end

      def unsorted_backup_files
        folder = ::File.dirname(backup_path)
        known = /\A#{Regexp.escape(::File.basename(path))}.chef-[0-9.]*\B/
        Dir.entries(folder).select { |name| name.match?(known) }.map { |name| ::File.join(folder, name) }
      end

      def sorted_backup_files = unsorted_backup_files.sort.reverse
    end
  end
end
