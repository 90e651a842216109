require "tempfile"

class Chef
  class Util
    # A unified diff of two files, within the limits of the configuration (`diff_disabled`, `diff_filesize_threshold`, `diff_output_threshold`).
    class Diff
      def for_output = @diff || [@error]
      def for_reporting = @diff&.join("\\n")

      # Yields the path of a file, or of an empty one if it does not exist.
      def use_tempfile_if_missing(file)
        return yield(file) if File.exist?(file)

        Tempfile.create("chef-diff") { |empty| yield(empty.path) }
      end

      def diff(old_file, new_file)
        use_tempfile_if_missing(old_file) { |old| use_tempfile_if_missing(new_file) { |new| @error = do_diff(old, new) } }
      end

      def udiff(old_file, new_file)
        old, new = lines_of(old_file), lines_of(new_file)
        return "" if old.empty? && new.empty?

        found = hunks(old, new)
        return "No differences encountered\n" if found.empty?

        [["---", old_file], ["+++", new_file]].map { |mark, file| "#{mark} #{file}\t#{File.stat(file).mtime.strftime("%Y-%m-%d %H:%M:%S.%N %z")}\n" }.join + found.join("\n") + "\n"
      end

      private

      def do_diff(old_file, new_file)
        return "(diff output suppressed by config)" if Chef::Config[:diff_disabled]

        largest = Chef::Config[:diff_filesize_threshold]
        return "(file sizes exceed #{largest} bytes, diff output suppressed)" if [old_file, new_file].any? { |file| File.size(file) > largest }
        return "(current file is binary, diff output suppressed)" if is_binary?(old_file)
        return "(new content is binary, diff output suppressed)" if is_binary?(new_file)

        text = udiff(old_file, new_file)
        return "(no diff)" if text.empty? || text == "No differences encountered\n"

        longest = Chef::Config[:diff_output_threshold]
        return "(long diff of over #{longest} characters, diff output suppressed)" if text.length > longest

        @diff = text.split("\n")
        "(diff available)"
      end

      def is_binary?(path)
        text = File.read(path)
        !text.valid_encoding? || !text.encode("UTF-8").match?(/\A[\s[:print:]]*\z/m)
      rescue EncodingError
        true
      end

      def lines_of(path) = File.readlines(path).map { |line| line.chomp.encode("UTF-8", invalid: :replace, undef: :replace, replace: "?") }
    end
  end
end
