# Providers written in Ruby on the bases of packages and services: they load the state and make the changes, the actions of the base decide.
class ::Chef::Provider::Shelf < Chef::Provider::Package
  provides :shelf_package

  def load_current_resource
    @current_resource = Chef::Resource::Package.new(new_resource.name)
    current_resource.package_name(new_resource.package_name)
    current_resource.version(as_array(new_resource.package_name).map { |name| read(name) }.then { |all| multipackage? ? all : all[0] })
    current_resource
  end

  def candidate_version = as_array(new_resource.package_name).map { |name| name == "unknown" ? nil : "2.0" }
  def install_package(name, version) = names(name).zip(as_array(version)) { |one, at| ::File.write(path(one), at) }
  alias upgrade_package install_package
  def remove_package(name, _version) = names(name).each { |one| ::File.delete(path(one)) if read(one) }

  private

  def names(name) = as_array(name)
  def path(name) = ::File.join(node["d"], name)
  def read(name) = ::File.exist?(path(name)) ? ::File.read(path(name)) : nil
end

class ::Chef::Resource::ShelfPackage < Chef::Resource::Package
  provides :shelf_package
  property :allow_downgrade, [true, false], default: false
end

class ::Chef::Provider::Lamp < Chef::Provider::Service
  provides :lamp

  def load_current_resource
    super
    @current_resource = Chef::Resource::Service.new(new_resource.name)
    current_resource.running(::File.exist?(path))
    current_resource.enabled(true)
    current_resource
  end

  def to_s = "the lamp"
  def start_service = ::File.write(path, "on")
  def stop_service = ::File.delete(path)

  private

  def path = ::File.join(node["d"], new_resource.service_name)
end

class ::Chef::Resource::Lamp < Chef::Resource::Service
  provides :lamp
end

shelf_package "cup"
shelf_package %w[plate bowl] do
  version ["1.5", nil]
end
shelf_package "plate" do
  version "1.0"
end
shelf_package "plate again" do
  package_name "plate"
  action :upgrade
end
shelf_package "fork" do
  action %i[remove purge]
end
shelf_package "cup again" do
  package_name "cup"
  action %i[remove purge]
end
shelf_package "unknown" do
  ignore_failure true
end
lamp "desk" do
  action %i[enable start]
end
lamp "desk, reloaded" do
  service_name "desk"
  action :reload
  ignore_failure true
end
lamp "desk, off" do
  service_name "desk"
  action %i[stop stop]
end
lamp "desk, disabled" do
  service_name "desk"
  action :disable
  ignore_failure true
end
