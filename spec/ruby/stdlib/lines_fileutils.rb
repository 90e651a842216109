require_relative "fixtures/lines"
require "fileutils"; require "stringio"; require "tmpdir"
Dir.chdir(PLACE = Dir.mktmpdir); at_exit { Dir.chdir("/"); FileUtils.rm_rf(PLACE) }
each_line_of(<<'CODE')
File.write("f", "x"); Dir.mkdir("d"); File.write("d/g", "y")
FileUtils::NoWrite.pwd
FileUtils::DryRun.pwd
FileUtils::NoWrite.cd("d")
FileUtils::NoWrite.cd("d") { raise "run" }
FileUtils::DryRun.chdir("/")
FileUtils::DryRun.remove_entry("f")
FileUtils::NoWrite.remove_file("f")
FileUtils::NoWrite.remove_dir("d", true)
FileUtils::NoWrite.remove_entry_secure("d")
FileUtils::NoWrite.copy_file("f", "q")
FileUtils::NoWrite.copy_entry("d", "q")
FileUtils::NoWrite.copy_stream(1, 2)
FileUtils::NoWrite.link_entry("d", "q")
FileUtils::NoWrite.compare_file("f", "f")
FileUtils::NoWrite.cmp("f", "f")
FileUtils::NoWrite.identical?("f", "f")
FileUtils::NoWrite.uptodate?("f", ["d"])
FileUtils::NoWrite.rm("f")
FileUtils::NoWrite.rm_rf("d")
FileUtils::NoWrite.mkdir("z")
FileUtils::NoWrite.mkdir_p("z/y")
FileUtils::NoWrite.cp("f", "z")
FileUtils::NoWrite.touch("z")
FileUtils::NoWrite.rm("f", noop: false)
FileUtils::NoWrite.rm("f", bogus: 1)
$stdout.sync = true; FileUtils::DryRun.rm_rf("d")
FileUtils::Verbose.cd("d") { Dir.pwd == File.realpath(".") }
FileUtils::Verbose.touch("t")
FileUtils::Verbose.compare_file("f", "f")
FileUtils::Verbose.pwd == Dir.pwd
Dir.children(".").sort
[FileUtils::NoWrite, FileUtils::DryRun, FileUtils::Verbose].map { |m| m.respond_to?(:cd) }
Object.new.extend(FileUtils::NoWrite).send(:remove_entry, "f")
Class.new { include FileUtils::DryRun; def go = cd("d") { 1 } }.new.go
File.exist?("f")
CODE
