unified_mode true
resource_name :web_site
provides :web_site

property :site, String, name_property: true
property :root, String, required: true, desired_state: false, identity: true
property :port, Integer, callbacks: { 'must be a free port' => ->(port) { port > 1024 } }
property :aliases, Array, default: [], coerce: proc { |names| Array(names).sort }

load_current_value do |desired|
  path = ::File.join(desired.root, 'sites', "#{desired.site}.conf")
  current_value_does_not_exist! unless ::File.exist?(path)
  text = ::File.read(path)
  port text[/^listen\s+(\d+);/, 1].to_i
  aliases text[/^server_name\s+(.*);/, 1].to_s.split
end

action_class do
  include Web::Helpers
end

action :create do
  converge_if_changed do
    file ::File.join(new_resource.root, 'sites', "#{new_resource.site}.conf") do
      content "#{directive('listen', new_resource.port)}\n#{directive('server_name', new_resource.aliases)}\n"
      mode '0644'
    end
  end
end

action :delete do
  file ::File.join(new_resource.root, 'sites', "#{new_resource.site}.conf") do
    action :delete
  end
end
