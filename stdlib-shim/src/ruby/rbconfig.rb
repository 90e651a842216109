# RbConfig: how the Ruby that this engine stands for was built.
require "rbconfig/native"

module RbConfig
  TOPDIR = "/usr"
  CONFIG = {
    "ruby_version" => "3.1.0", "RUBY_API_VERSION" => "3.1", "RUBY_PROGRAM_VERSION" => "3.1.7", "MAJOR" => "3", "MINOR" => "1", "TEENY" => "7", "UNICODE_VERSION" => "13.0.0", "UNICODE_EMOJI_VERSION" => "13.1", "PATCHLEVEL" => RUBY_PATCHLEVEL.to_s,
    "ruby_install_name" => "ruby", "RUBY_INSTALL_NAME" => "ruby", "RUBY_BASE_NAME" => "ruby", "RUBYW_INSTALL_NAME" => "", "RUBY_SO_NAME" => "ruby-3.1", "ruby_pc" => "ruby-3.1.pc",
    "bindir" => File.dirname(ruby), "sbindir" => "/usr/sbin", "libexecdir" => "/usr/libexec", "prefix" => "/usr", "exec_prefix" => "/usr", "libdir" => "/usr/lib", "libdirname" => "libdir", "includedir" => "/usr/include",
    "datadir" => "/usr/share", "datarootdir" => "/usr/share", "localedir" => "/usr/share/locale", "ridir" => "/usr/share/ri", "docdir" => "/usr/share/doc/ruby", "htmldir" => "/usr/share/doc/ruby",
    "dvidir" => "/usr/share/doc/ruby", "pdfdir" => "/usr/share/doc/ruby", "psdir" => "/usr/share/doc/ruby", "infodir" => "/usr/share/info", "sharedstatedir" => "/usr/com", "runstatedir" => "/var/run",
    "oldincludedir" => "/usr/include", "rubysitearchprefix" => "/usr/lib/ruby", "rubyarchprefix" => "/usr/lib/ruby",
    "mandir" => "/usr/share/man", "sysconfdir" => "/etc", "localstatedir" => "/var", "topdir" => "/usr/lib/ruby/3.1.0", "rubylibprefix" => "/usr/lib/ruby",
    "rubylibdir" => "/usr/lib/ruby/3.1.0", "rubyarchdir" => "/usr/lib/ruby/3.1.0", "archdir" => "/usr/lib/ruby/3.1.0", "sitedir" => "/usr/local/lib/site_ruby", "sitelibdir" => "/usr/local/lib/site_ruby/3.1.0",
    "sitearchdir" => "/usr/local/lib/site_ruby", "vendordir" => "/usr/lib/ruby/vendor_ruby", "vendorlibdir" => "/usr/lib/ruby/vendor_ruby/3.1.0", "vendorarchdir" => "/usr/lib/ruby/vendor_ruby",
    "host_os" => "linux-gnu", "target_os" => "linux", "build_os" => "linux-gnu", "host_cpu" => RUBY_PLATFORM[/\A[^-]+/], "target_cpu" => RUBY_PLATFORM[/\A[^-]+/], "build_cpu" => RUBY_PLATFORM[/\A[^-]+/],
    "host" => RUBY_PLATFORM.sub("-", "-pc-"), "arch" => RUBY_PLATFORM, "platform" => RUBY_PLATFORM, "EXEEXT" => "", "EXECUTABLE_EXTS" => "", "OBJEXT" => "o", "DLEXT" => "so", "LIBEXT" => "a", "PATH_SEPARATOR" => ":",
    "SHELL" => "/bin/sh", "ENABLE_SHARED" => "no", "LIBRUBY" => "libruby-static.a", "LIBRUBY_A" => "libruby-static.a", "LIBRUBY_SO" => "libruby.so", "LIBPATHENV" => "LD_LIBRARY_PATH",
    "configure_args" => "", "CC" => "gcc", "AR" => "ar", "STRIP" => "strip"
  }.transform_values(&:dup)
  MAKEFILE_CONFIG = CONFIG.transform_values(&:dup)

  class << self
    # `$(NAME)` and `${NAME}` stand for settings, `$$` for a dollar.
    def expand(text, config = CONFIG)
      text.replace(text.gsub(/\$\$|\$\((\w+)\)|\$\{(\w+)\}/) { $& == "$$" ? "$" : config.fetch($1 || $2) { $& } })
    end

    # Sets a setting; the names of those that changed, nil if it was so already.
    def fire_update!(name, value, makefile = MAKEFILE_CONFIG, config = CONFIG)
      return if makefile[name] == value && config[name] == value
      makefile[name] = value
      config[name] = expand(value.dup, config)
      [name]
    end
  end
end
