# Where the files of an installed gem are: what a whole specification and its short form have in common.
module Gem
  class BasicSpecification
    attr_accessor :loaded_from
    attr_writer :base_dir, :extension_dir, :full_gem_path

    # The folder of `gems` and `specifications`.
    def base_dir
      @base_dir || case
                   when @loaded_from then File.dirname(@loaded_from, in_default_folder? ? 3 : 2)
                   when @full_gem_path then File.dirname(@full_gem_path, 2)
                   else Gem.dir
                   end
    end
    def gems_dir = File.join(base_dir, "gems")

    # A gemspec that does not lie among specifications is in the folder of its files.
    def full_gem_path
      @full_gem_path || (@loaded_from && !installed_file? ? File.dirname(@loaded_from) : File.expand_path(full_name, gems_dir))
    end
    alias gem_dir full_gem_path
    def full_name = "#{name}-#{version}#{"-#{platform}" unless platform == Platform::RUBY || platform.nil?}"
    def lib_dirs_glob = File.join(full_gem_path, require_paths.size > 1 ? "{#{require_paths.join(",")}}" : require_paths.first)
    def full_require_paths = require_paths.map { |path| File.join(full_gem_path, path) }
    def matches_for_glob(pattern) = Dir.glob(File.join(lib_dirs_glob, pattern))
    # Files with which the gem extends the `gem` command.
    def plugins = matches_for_glob("rubygems#{Gem.plugin_suffix_pattern}")
    def datadir = File.expand_path(File.join(full_gem_path, "data", name))
    def source_paths = (raw_require_paths + extensions.map { |path| path.split(File::SEPARATOR, 2).first }).uniq
    def to_fullpath(path)
      full_require_paths.product(Gem.suffixes).map { |folder, suffix| "#{folder}/#{path}#{suffix}" }.find { |file| File.file?(file) } if activated?
    end

    # Where RubyGems of MRI puts what it compiles.
    def extensions_dir = File.join(base_dir, "extensions", Platform.local.to_s, Gem.extension_api_version)
    def extension_dir = @extension_dir ||= File.expand_path(full_name, extensions_dir)
    def gem_build_complete_path = File.join(extension_dir, "gem.build_complete")
    def this = self

    private

    def in_default_folder? = File.dirname(@loaded_from) == Gem.default_specifications_dir
    def installed_file? = in_default_folder? || File.basename(File.dirname(@loaded_from)) == "specifications"
  end
end
