# The folder that the Rakefile of a Puppet module makes before its specs run.
require "fileutils"
FileUtils.mkdir_p("spec/fixtures/modules")
