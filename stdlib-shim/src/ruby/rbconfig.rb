module RbConfig
  CONFIG = {
    "ruby_version" => "3.1.0", "MAJOR" => "3", "MINOR" => "1", "TEENY" => "2", "ruby_install_name" => "ruby", "RUBY_INSTALL_NAME" => "ruby", "bindir" => "/usr/bin", "prefix" => "/usr", "EXEEXT" => "",
    "host_os" => "linux-gnu", "target_os" => "linux", "host_cpu" => RUBY_PLATFORM[/\A[^-]+/], "target_cpu" => RUBY_PLATFORM[/\A[^-]+/], "arch" => RUBY_PLATFORM, "sysconfdir" => "/etc", "build_os" => "linux-gnu"
  }
  def self.ruby = "/usr/bin/ruby"
end
