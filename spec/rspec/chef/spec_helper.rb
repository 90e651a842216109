# What Chef's own unit specs expect to find under the name `spec_helper`: `require "chef"`, their shared examples (from the checkout's
# `spec` on the load path), predicates about the platform, and a fresh Chef before each example.
require "rspec"
require "tmpdir"
require "tempfile"
require "fileutils"
require "json"
require "stringio"
require "ostruct"
require "rexml/document"
begin
  require "webmock/rspec"
rescue LoadError
  nil
end
require "chef"
# Bundler, under which Chef runs its specs, lets dependencies be compared so.
Gem::Dependency.alias_method(:eql?, :==)
%w{chef/resource_resolver chef/provider_resolver chef/mixins chef/dsl chef/util/file_edit chef/json_compat chef/application chef/applications
   chef/server_api_versions chef/mixin/versioned_api chef/shell chef/platform/provider_mapping chef/api_client_v1 chef/chef_fs/file_system_cache}.each do |feature|
  require feature
rescue LoadError
  nil
end

CHEF_SPEC = $LOAD_PATH.find { |folder| File.exist?(File.join(folder, "support/shared/shared_examples.rb")) }
CHEF_SPEC_DATA = File.join(CHEF_SPEC, "data")
CHEF_SPEC_ASSETS = File.join(CHEF_SPEC, "functional/assets")
CHEF_SPEC_BACKUP_PATH = File.join(Dir.tmpdir, "test-backup-path")

def windows? = false
%w{macos macos_gte_11 aix freebsd freebsd_gte_12_3 solaris fips fips_mode_build selinux_enabled root rhel rhel6 rhel7 rhel8 rhel_gte_8 suse opensuse
   amazon_linux wpar s390x gce ruby_32bit windows_domain_joined windows_2012r2 windows_gte_10 windows_11 windows_powershell_dsc windows64 windows32
   choco_installed pwsh_installed openssl_lt_101}.each { |name| define_method(:"#{name}?") { |*| false } }
%w{unix linux debian_family ruby_64bit intel_64bit supports_cloexec openssl_gte_101 aes_256_gcm ifconfig}.each { |name| define_method(:"#{name}?") { true } }
def canonicalize_path(path) = path
def make_canonical_temp_directory = Dir.mktmpdir
def sha256_checksum(path) = OpenSSL::Digest.hexdigest("SHA256", File.read(path))
def make_tmpname(name, number = nil) = "#{[*name].first}#{$$}-#{rand(0x100000000).to_s(36)}#{number && "-#{number}"}#{[*name][1]}"
def ohai = OHAI_SYSTEM

# Shared examples and contexts of Chef's; one that needs what an engine lacks fails the files that use it, not all.
shared = %w{shared/shared_examples lib/library_load_order recipe_dsl_helper}
shared += Dir[File.join(CHEF_SPEC, "support/{mock,matchers,shared/unit,shared/matchers,shared/context}/**/*.rb")].sort.map { |file| file.delete_prefix("#{CHEF_SPEC}/support/").delete_suffix(".rb") }
shared -= %w{shared/unit/knife_shared matchers/leak shared/context/win32}
shared.each do |name|
  require "support/#{name}"
rescue LoadError, NameError => error
  warn "support/#{name}: #{error.message}"
end
Dir[File.join(CHEF_SPEC, "support/lib/chef/{resource,provider}/*.rb")].sort.each { |file| require file }

# Facts of the machine that the specs pretend to run on.
module SpecNode
  FACTS = { "os" => "linux", "platform_family" => "debian", "platform" => "debian", "platform_version" => "12.5" }.freeze
  def self.build = Chef::Node.new.tap { |node| FACTS.each { |name, value| node.automatic[name] = value.dup.freeze } }
end
TEST_NODE = SpecNode.build
TEST_OS, TEST_PLATFORM, TEST_PLATFORM_VERSION, TEST_PLATFORM_FAMILY = %w{os platform platform_version platform_family}.map { |name| TEST_NODE[name] }
OHAI_SYSTEM = Struct.new(:data) { def [](name) = data[name.to_s] }.new(SpecNode::FACTS.merge("kernel" => { "machine" => "x86_64" }))

# Filters of examples by version: `ruby: ">= 3.0"`.
unmet = ->(version) { ->(wanted) { !Gem::Requirement.new(wanted).satisfied_by?(Gem::Version.new(version.dup)) } }

RSpec.configure do |config|
  config.include(MockShellout::RSpec)
  config.expect_with(:rspec) { |expectations| expectations.max_formatted_output_length = nil }
  config.mock_with(:rspec) { |mocks| mocks.allow_message_expectations_on_nil = false }
  absent = %i{windows_only macos_only not_macos_gte_11 win2012r2_only windows64_only windows32_only windows_gte_10 ruby32_only windows_powershell_dsc_only
              windows_domain_joined_only windows_service_requires_assign_token solaris_only aix_only suse_only opensuse selinux_only requires_root
              requires_root_or_running_windows external volatile broken fips_mode_test fips_mode_negative_test rhel rhel6 rhel7 rhel8 rhel_gte_8 not_wpar
              not_intel_64bit openssl_lt_101 validate_only choco_installed pwsh_installed}
  config.filter_run_excluding(**absent.to_h { |name| [name, true] }, chef: unmet.(Chef::VERSION.to_s), ruby: unmet.(RUBY_VERSION), arch: ->(arch) { arch != "x86_64" })
  keep = %i{provider_handler_map resource_handler_map provider_priority_map resource_priority_map}
  kept = keep.to_h { |name| [name, Chef.public_send(name)] }.select { |_, map| map.instance_variable_defined?(:@map) }
  kept = kept.transform_values { |map| [map, map.instance_variable_get(:@map).dup] }
  config.before(:each) do
    Chef.reset!
    Gem.clear_paths if Gem.respond_to?(:clear_paths)
    Chef::Config.reset
    # Chef's default; rchef has no server.
    Chef::Config[:local_mode] = false
    Chef::Log.setup!
    Chef::ServerAPIVersions.instance.reset! if defined?(Chef::ServerAPIVersions)
    Chef::Config[:log_level] = :fatal
    Chef::Log.level(:fatal)
    Chef::Config.treat_deprecation_warnings_as_errors(true)
    kept.each_value { |map, table| map.instance_variable_set(:@map, table.dup) }
  end
end
