provides :ctx
unified_mode false
action :run do
  file "@ROOT@/t/ctx1" do
    content "x"
    notifies :run, "execute[outside]", :delayed
    notifies :run, "execute[inner_d]", :delayed
  end
  execute("inner_d") { command "true"; action :nothing }
  execute("inner_last") { command "true" }
end
