provides :uni2
unified_mode true
action :run do
  file("@ROOT@/t/uni2") { content "x"; notifies :run, "execute[nope]", :immediately }
  execute("end") { command "true" }
end
