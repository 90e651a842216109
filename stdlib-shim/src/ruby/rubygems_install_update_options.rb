# The options of commands that install gems.
require "rubygems"
require "rubygems/optparse"
require "rubygems/security"

module Gem
  module SecurityOption
    def add_security_option
      OptionParser.accept(Security::Policy) do |value|
        Security::Policies[value] or raise OptionParser::InvalidArgument, "#{value} (#{Security::Policies.keys.sort.join(", ")} are valid)"
      end
      add_option(:"Install/Update", "-P", "--trust-policy POLICY", Security::Policy, "Specify gem trust policy") { |value, options| options[:security_policy] = value }
    end
  end

  module InstallUpdateOptions
    include SecurityOption

    # What goes into the options as it is given.
    FLAGS = {
      env_shebang: ["-E", "--[no-]env-shebang", "Rewrite the shebang line on installed", "scripts to use /usr/bin/env"],
      force: ["-f", "--[no-]force", "Force gem to install, bypassing dependency", "checks"],
      wrappers: ["-w", "--[no-]wrappers", "Use bin wrappers for executables", "Not available on dosish platforms"]
    }.freeze
    MORE_FLAGS = {
      ignore_dependencies: ["--ignore-dependencies", "Do not install any required dependent gems"],
      format_executable: ["--[no-]format-executable", "Make installed executable names match Ruby.", "If Ruby is ruby18, foo_exec will be", "foo_exec18"],
      user_install: ["--[no-]user-install", "Install in user's home directory instead", "of GEM_HOME."]
    }.freeze
    LAST_FLAGS = {
      minimal_deps: ["--[no-]minimal-deps", "Don't upgrade any dependencies that already", "meet version requirements"],
      post_install_message: ["--[no-]post-install-message", "Print post install message"],
      install_as_default: ["--default", "Add the gem's full specification to", "specifications/default and extract only its bin"],
      explain: ["--explain", "Rather than install the gems, indicate which would", "be installed"],
      suggest_alternate: ["--[no-]suggestions", "Suggest alternates when gems are not found"]
    }.freeze
    private_constant :FLAGS, :MORE_FLAGS, :LAST_FLAGS

    def add_install_update_options
      add_place_options
      add_flags(FLAGS)
      add_security_option
      add_flags(MORE_FLAGS)
      { "--development" => [true, "Install additional development", "dependencies"],
        "--development-all" => [false, "Install development dependencies for all", "gems (including dev deps themselves)"] }.each do |word, (shallow, *text)|
        add_option(:"Install/Update", word, *text) { |_, options| options.update(development: true, dev_shallow: shallow) }
      end
      add_option(:"Install/Update", "--conservative", "Don't attempt to upgrade gems already", "meeting version requirement") { |_, options| options.update(conservative: true, minimal_deps: true) }
      add_flags(LAST_FLAGS)
    end
    def install_update_options = { document: %w[ri] }
    def install_update_defaults_str = "--document=ri"

    private

    def add_flags(flags) = flags.each { |name, words| add_option(:"Install/Update", *words) { |value, options| options[name] = value } }
    def add_place_options
      { install_dir: ["-i", "--install-dir DIR", "Gem repository directory to get installed", "gems"], bin_dir: ["-n", "--bindir DIR", "Directory where executables will be", "placed when the gem is installed"],
        build_root: ["--build-root DIR", "Temporary installation root. Useful for building", "packages. Do not use this when installing remote gems."] }.each do |name, words|
        add_option(:"Install/Update", *words) { |value, options| options[name] = File.expand_path(value) }
      end
      # documentation is for hooks of other libraries to make
      add_option(:"Install/Update", "--document [TYPES]", Array, "Generate documentation for installed gems", "List the documentation types you wish to", "generate.  For example: rdoc,ri") do |value, options|
        options[:document] = value.nil? ? %w[ri] : value || []
      end
      add_option(:"Install/Update", "-N", "--no-document", "Disable documentation generation") { |_, options| options[:document] = [] }
    end
  end
end
