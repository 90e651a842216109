# FileUtils' own helpers, which classes that include it call.
require "fileutils"

class Tool
  include FileUtils

  def initialize
    @fileutils_label = "$ "
    @fileutils_output = $stdout
  end

  def run
    fu_output_message "hi"
    p fu_list(["a", ["b"]]), fu_list("x"), remove_trailing_slash("/a/"), remove_trailing_slash("/")
    p fu_get_uid("root"), fu_get_uid(3), fu_get_gid("0"), fu_have_symlink?
    fu_each_src_dest0(%w[a b/c], "t") { |*pair| p pair }
    fu_each_src_dest0("a", "/") { |*pair| p pair }
    fu_each_src_dest0("a", "/none") { |*pair| p pair }
    begin
      fu_each_src_dest("/etc/passwd", "/etc/passwd") { |*pair| p pair }
    rescue ArgumentError => error
      puts error.message
    end
    p fu_same?("/", "/."), fu_stat_identical_entry?(File.stat("/"), File.stat("/etc"))
  end
end
Tool.new.run
p FileUtils.respond_to?(:fu_list), FileUtils.respond_to?(:remove_trailing_slash), Tool.new.respond_to?(:fu_list)
