unified_mode true
provides :web_site
property :port, Integer, default: 80
property :sensitive, [true, false], default: true
action :create do
  with_run_context(:root) do
    declare_resource(:file, "/etc/site-#{new_resource.name}") { content 'x' }
  end
  log new_resource.port.to_s
end
