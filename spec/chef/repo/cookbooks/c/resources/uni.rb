provides :uni
unified_mode true
action :run do
  file "@ROOT@/t/uni1" do
    content "x"
    notifies :run, "execute[fwd]", :immediately
    notifies :run, "execute[fwd_d]", :delayed
  end
  execute("mid") { command "true" }
  execute("fwd") { command "true"; action :nothing }
  execute("fwd_d") { command "true"; action :nothing }
  execute("end") { command "true" }
end
