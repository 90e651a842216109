file "@ROOT@/t/x" do
  content "one\n"
  notifies :run, "execute[late]"
end
include_recipe "b"
execute "late" do
  command "echo late"
  action :nothing
end
execute "boom" do
  command "echo out; echo err >&2; exit 3"
end if node["boom"]
