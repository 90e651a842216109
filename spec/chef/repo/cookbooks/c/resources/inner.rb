provides :inner
resource_name :inner
action :run do
  file "@ROOT@/t/#{new_resource.name}" do
    content "x"
    notifies :run, "execute[outside]", :immediately
  end
  log "x" do
   level :debug
  end
end
