# What Chef's own unit specs expect to find under the name `spec_helper`: `require "chef"`, their shared examples (from the checkout's
# `spec` on the load path), predicates about the platform, and a fresh Chef before each example.
require "rspec"
require "tmpdir"
require "tempfile"
require "fileutils"
require "json"
require "stringio"
require "ostruct"
require "chef"
# Bundler, under which Chef runs its specs, lets dependencies be compared so.
Gem::Dependency.alias_method(:eql?, :==)
%w{chef/resource_resolver chef/provider_resolver chef/mixins chef/dsl chef/util/file_edit chef/json_compat chef/application chef/applications
   chef/server_api_versions chef/mixin/versioned_api chef/shell chef/platform/provider_mapping}.each do |feature|
  require feature
rescue LoadError
  nil
end

CHEF_SPEC = $LOAD_PATH.find { |folder| File.exist?(File.join(folder, "support/shared/shared_examples.rb")) }
CHEF_SPEC_DATA = File.join(CHEF_SPEC, "data")
CHEF_SPEC_ASSETS = File.join(CHEF_SPEC, "functional/assets")
CHEF_SPEC_BACKUP_PATH = File.join(Dir.tmpdir, "test-backup-path")

def windows? = false
%w{macos aix freebsd solaris fips selinux_enabled root rhel wpar s390x gce}.each { |name| define_method(:"#{name}?") { false } }
def unix? = true
def linux? = true
def debian_family? = true
def canonicalize_path(path) = path
def make_canonical_temp_directory = Dir.mktmpdir
def sha256_checksum(path) = OpenSSL::Digest.hexdigest("SHA256", File.read(path))

%w{shared/shared_examples shared/unit/platform_introspector shared/unit/mock_shellout lib/library_load_order}.each { |name| require "support/#{name}" }
Dir[File.join(CHEF_SPEC, "support/lib/chef/{resource,provider}/*.rb")].sort.each { |file| require file }

# Facts of the machine that the specs pretend to run on.
module SpecNode
  FACTS = { "os" => "linux", "platform_family" => "debian", "platform" => "debian", "platform_version" => "12.5" }.freeze
  def self.build = Chef::Node.new.tap { |node| FACTS.each { |name, value| node.automatic[name] = value.dup.freeze } }
end
TEST_NODE = SpecNode.build
TEST_OS, TEST_PLATFORM, TEST_PLATFORM_VERSION, TEST_PLATFORM_FAMILY = %w{os platform platform_version platform_family}.map { |name| TEST_NODE[name] }
OHAI_SYSTEM = Struct.new(:data) { def [](name) = data[name] }.new(SpecNode::FACTS.dup)

RSpec.configure do |config|
  config.include(MockShellout::RSpec)
  absent = %i{windows_only macos_only win2012r2_only windows64_only windows32_only windows_gte_10 ruby32_only windows_powershell_dsc_only windows_domain_joined_only
              solaris_only aix_only suse_only opensuse selinux_only requires_root requires_root_or_running_windows external volatile broken fips_mode_test
              fips_mode_negative_test rhel rhel6 rhel7 rhel8 rhel_gte_8 validate_only choco_installed pwsh_installed}
  config.filter_run_excluding(**absent.to_h { |name| [name, true] })
  keep = %i{provider_handler_map resource_handler_map provider_priority_map resource_priority_map}
  kept = keep.to_h { |name| [name, Chef.public_send(name)] }.select { |_, map| map.instance_variable_defined?(:@map) }
  kept = kept.transform_values { |map| [map, map.instance_variable_get(:@map).dup] }
  config.before(:each) do
    Chef.reset!
    Chef::Config.reset
    Chef::Log.setup!
    Chef::Config[:log_level] = :fatal
    Chef::Log.level(:fatal)
    Chef::Config.treat_deprecation_warnings_as_errors(true)
    kept.each_value { |map, table| map.instance_variable_set(:@map, table.dup) }
  end
end
