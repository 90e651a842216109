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
      env_shebang: ["-E", "--[no-]env-shebang", "Programs find Ruby by /usr/bin/env"],
      force: ["-f", "--[no-]force", "Install even if something that the gem", "needs is missing"],
      wrappers: ["-w", "--[no-]wrappers", "Programs are scripts, not links"]
    }.freeze
    MORE_FLAGS = {
      ignore_dependencies: ["--ignore-dependencies", "Install only the gems that are named"],
      format_executable: ["--[no-]format-executable", "Name programs as Ruby itself is named:", "tool31 where Ruby is ruby31"],
      user_install: ["--[no-]user-install", "Install below the home of the user"]
    }.freeze
    LAST_FLAGS = {
      minimal_deps: ["--[no-]minimal-deps", "What is there and will do is kept"],
      post_install_message: ["--[no-]post-install-message", "Show what gems say once they are installed"],
      install_as_default: ["--default", "Install the specification and the programs", "only, as of a gem that comes with Ruby"],
      explain: ["--explain", "Only show what would be installed"],
      suggest_alternate: ["--[no-]suggestions", "Show similar names of a gem that is not found"]
    }.freeze
    private_constant :FLAGS, :MORE_FLAGS, :LAST_FLAGS

    def add_install_update_options
      add_place_options
      add_flags(FLAGS)
      add_security_option
      add_flags(MORE_FLAGS)
      { "--development" => [true, "With what the development of the named", "gems needs"],
        "--development-all" => [false, "With what the development of all these", "gems needs"] }.each do |word, (shallow, *text)|
        add_option(:"Install/Update", word, *text) { |_, options| options.update(development: true, dev_shallow: shallow) }
      end
      add_option(:"Install/Update", "--conservative", "Install nothing for what is there and will do") { |_, options| options.update(conservative: true, minimal_deps: true) }
      add_flags(LAST_FLAGS)
    end
    def install_update_options = { document: %w[ri] }
    def install_update_defaults_str = "--document=ri"

    private

    def add_flags(flags) = flags.each { |name, words| add_option(:"Install/Update", *words) { |value, options| options[name] = value } }
    def add_place_options
      { install_dir: ["-i", "--install-dir DIR", "Folder of gems to install into"], bin_dir: ["-n", "--bindir DIR", "Folder for the programs of gems"],
        build_root: ["--build-root DIR", "Folder that all paths are taken to lie in,", "to make packages of systems"] }.each do |name, words|
        add_option(:"Install/Update", *words) { |value, options| options[name] = File.expand_path(value) }
      end
      # documentation is for hooks of other libraries to make
      add_option(:"Install/Update", "--document [TYPES]", Array, "Kinds of documentation that are asked of", "plug-ins: rdoc,ri") do |value, options|
        options[:document] = value.nil? ? %w[ri] : value || []
      end
      add_option(:"Install/Update", "-N", "--no-document", "Ask for no documentation") { |_, options| options[:document] = [] }
    end
  end
end
