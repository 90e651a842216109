# Files in the folder of plug-ins: each leads to a plug-in in a gem's own folder.
require "rubygems/remote_fetcher"
require "fileutils"
require "pathname"

module Gem
  module InstallerUninstallerUtils
    def regenerate_plugins_for(spec, plugins_dir)
      spec.plugins.each do |plugin|
        path = File.join(plugins_dir, "#{spec.name}_plugin#{File.extname(plugin)}")
        File.binwrite(path, "require_relative '#{Pathname.new(plugin).relative_path_from(Pathname.new(plugins_dir))}'\n")
        verbose(path)
      end
    end

    def remove_plugins_for(spec, plugins_dir) = FileUtils.rm_f(Util.glob_files_in_dir("#{spec.name}#{Gem.plugin_suffix_pattern}", plugins_dir))
  end
end
