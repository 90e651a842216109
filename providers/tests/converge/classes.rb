d = node['d']
class ::Chef
  class Provider
    class Package < Chef::Provider
    end
    class File < Chef::Provider
      alias_method :make, :action_create
    end
    class Service < Chef::Provider
      class Simple < Chef::Provider::Service
        alias_method :begin_service, :start_service
      end
    end
  end
end

# a subclass that looks at what is there, and one that is handed on with super
noted = Class.new(Chef::Provider::File) do
  define_method(:load_current_resource) do
    super()
    ::File.write("#{d}/noted", "#{@current_resource.class} #{current_resource.mode.inspect}\n")
  end
  define_method(:action_create) do
    converge_by('say so first') { nil }
    super()
  end
end
file "#{d}/made" do
  provider noted
  content "x\n"
  mode '0604'
end
aliased = Class.new(Chef::Provider::File) do
  def action_create
    make
  end
end
file "#{d}/aliased" do
  provider aliased
  content "x\n"
end

# helpers that a subclass overrides, and that it calls
starts = Class.new(Chef::Provider::Service::Simple) do
  define_method(:start_service) do
    ::File.write("#{d}/started", "#{current_resource.running}\n")
    begin_service
  end
end
service 'nosuch' do
  provider starts
  status_command 'false'
  start_command "echo begun >> #{d}/started"
  action :start
end

# a module in front of a shipped class
Chef::Provider::Link.prepend(Module.new do
  def action_create
    super
    converge_by('look at the link') { nil }
  end
end)
link "#{d}/link" do
  to "#{d}/made"
end

p = Chef::Provider
file "#{d}/facts" do
  content [
    p::File.method_defined?(:action_create), p::File.method_defined?(:action_frobnicate), p::Mount.method_defined?(:action_mount),
    p::File.superclass, p::Template.superclass, p::Directory.superclass, p::Execute.superclass, p::Script.superclass,
    p::Package.superclass, p::Package::Apt.superclass, p::Service::Simple.superclass, p::Service::Systemd.superclass,
    p::User::Linux.superclass, p::Group::Gpasswd.superclass,
    Chef::Resource::File.new('x', run_context).provider_for_action(:create).class,
    Chef::Resource::Template.new('x', run_context).provider_for_action(:create).class,
  ].join("\n") + "\n"
end
ruby_block 'what was noted' do
  block { ::File.write("#{d}/all", %w(noted started).map { |name| ::File.read("#{d}/#{name}") }.join) }
end
file "#{d}/all" do
  content lazy { ::File.exist?("#{d}/all") ? ::File.read("#{d}/all") + "seen\n" : '' }
end
paludis_package 'nowhere' do
  ignore_failure true
end
