require "fileutils"
p FileUtils::METHODS.sort, FileUtils::OPT_TABLE.sort.to_h
p FileUtils::LOW_METHODS.sort
p FileUtils::DryRun.ancestors, FileUtils::Verbose.ancestors
[FileUtils::Verbose, FileUtils::NoWrite, FileUtils::DryRun].each do |mod|
  p FileUtils::METHODS.all? { |name| mod.respond_to?(name) && mod.private_method_defined?(name) }
end
FileUtils::DryRun.instance_variable_set(:@fileutils_output, $stdout)
FileUtils::DryRun.cp "a", "b"
p FileUtils::DryRun.pwd, FileUtils::NoWrite.remove_file("nothing"), FileUtils::Verbose.pwd == Dir.pwd
p FileUtils.collect_method(:preserve).sort, FileUtils.have_option?(:cp, :preserve), FileUtils.options_of("rm_rf")
