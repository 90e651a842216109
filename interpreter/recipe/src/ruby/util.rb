class Chef
  class JSONCompat
    class << self
      def parse(text, options = {})
        JSON.parse(text, create_additions: false, **options.slice(:symbolize_names, :max_nesting))
      rescue JSON::ParserError => e
        raise Chef::Exceptions::JSON::ParseError, e.message
      end
      alias from_json parse

      def to_json(object, _options = nil) = JSON.generate(object)

      def to_json_pretty(object, _options = nil)
        object = object.to_hash if object.respond_to?(:to_hash)
        JSON.pretty_generate(object)
      end
    end
  end

  class Util
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

    # Whether SELinux is on, and the security context of what was written.
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

    class PathHelper
      class << self
        def cleanpath(path) = File.expand_path(path)
        def join(*parts) = parts.flatten.map(&:to_s).join("/").squeeze("/")
        def dirname(path) = File.dirname(path)
        def path_separator = "/"
        def canonical_path(path, _add_prefix = true) = File.exist?(path) ? File.realpath(path) : path
        def paths_eql?(a, b) = canonical_path(a) == canonical_path(b)
        def escape_glob_dir(*parts) = join(*parts).gsub(/[\\{\[*?]/) { |c| "\\#{c}" }
        def relative_path_from(from, to) = Pathname.new(cleanpath(to)).relative_path_from(Pathname.new(cleanpath(from)))

        def home(*args)
          home = ENV["HOME"]
          return nil unless home
          path = args.empty? ? home : File.join(home, *args)
          block_given? ? yield(path) : path
        end

        def all_homes(*args)
          path = home(*args)
          found = path ? [path] : []
          found.each { |each| yield each } if block_given?
          found
        end
      end
    end
  end
end

class Chef
  class Util
    # Lines that are edited in memory; every method says how many it changed.
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

    # Copies of a file before it is changed, the newest ones kept.
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
