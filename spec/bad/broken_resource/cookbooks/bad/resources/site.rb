resource_name :bad_site
provides :bad_site
unified_mode true

property :port, Integer, required: true

action :create do
  file "@ROOT@/#{new_resource.name}" do
    content new_resource.prot.to_s
  end
end
