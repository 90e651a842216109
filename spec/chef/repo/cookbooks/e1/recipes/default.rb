# before/immediate/delayed ordering
execute "svc" do
  command "true"
  action :nothing
end
file "@ROOT@/t/b1" do
  content "1"
  notifies :run, "execute[svc]", :before
  notifies :run, "execute[later]", :immediately
  notifies :run, "execute[d1]", :delayed
  notifies :run, "execute[d2]", :delayed
end
file "@ROOT@/t/b2" do
  content "1"
  notifies :run, "execute[d1]", :delayed
end
execute("later") { command "true"; action :nothing }
execute("d1") { command "true"; action :nothing; notifies :run, "execute[d3]", :delayed }
execute("d2") { command "false"; action :nothing }
execute("d3") { command "true"; action :nothing }
file "@ROOT@/t/b3" do
  content "1"
  subscribes :delete, "file[@ROOT@/t/b2]", :delayed
  action :create
end
execute("ign") { command "exit 7"; ignore_failure true }
execute("ignq") { command "exit 7"; ignore_failure :quiet }
execute("retry") { command "exit 7"; retries 2; retry_delay 0; ignore_failure true }
execute("retry2") { command "test -e @ROOT@/t/cnt && exit 0; touch @ROOT@/t/cnt; exit 1"; retries 2; retry_delay 0 }
execute("boom") { command "exit 9" }
file "@ROOT@/t/never" 
