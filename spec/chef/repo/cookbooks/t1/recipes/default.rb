file "@ROOT@/t/a" do
  content "hello\nworld\n"
  mode "0640"
end
file "@ROOT@/t/a2" do
  content "x\n"
  action :nothing
end
directory "@ROOT@/t/d" do
  mode 0755
  notifies :create, "file[@ROOT@/t/a2]", :immediately
  notifies :run, "execute[echo late]", :delayed
end
execute "echo hi"
execute "echo late" do
 action :nothing
end
file "skip" do
  path "@ROOT@/t/skip"
  only_if { false }
end
file "@ROOT@/t/skip2" do
  not_if "true"
end
log "hello"
ruby_block "rb" do
  block { }
end
bash "mybash" do
  code <<-X
    echo hi
    echo there
  X
  only_if "test -d /"
end
service "nosuch" do
  action [:enable, :start]
  ignore_failure true
end if ENV["SVC"]
file "@ROOT@/t/a again" do
  path "@ROOT@/t/a"
  content "hello\nmars\n"
end
link "@ROOT@/t/l" do
  to "@ROOT@/t/a"
end
