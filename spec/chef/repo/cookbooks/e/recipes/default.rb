template "@ROOT@/t/tt" do
  source "t.erb"
  variables foo: "F", bar: lazy { "LZ" }
  helper(:h1) { "H1" }
  helpers { def h2; "H2#{node.name}"; end }
end
file("@ROOT@/t") { action :delete; ignore_failure true }
directory("@ROOT@/t") { action :delete; ignore_failure true }
execute("x") { command "exit 3"; returns [0,3] }
ruby_block "dyn" do
  block do
    Chef.run_context.resource_collection.tap{}
    r = Chef::Recipe.new("e","dyn",Chef.run_context); r.execute("inserted") { command "true" }
  end
end
execute("after") { command "true" }
