resource_name :bad_site
provides :bad_site
unified_mode true

property :port, Integer, required: true

action :create do
  log new_resource.port.to_s
end
