reboot "now" do
  action :nothing
end
file "@ROOT@/t/r" do
  content "x"
  notifies :cancel, "reboot[now]", :immediately
end
