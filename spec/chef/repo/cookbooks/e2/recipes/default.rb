file "/nonexist/dir/f" do
  content "x"
end
file "@ROOT@/t" do
  content "x"
  ignore_failure true
end
file "@ROOT@/t/own" do
  content "x"
  owner "nosuchuser"
  group "nosuchgrp"
end
directory "/nonexist/a/b"
directory "/etc/passwd" do
  ignore_failure true
end
link "@ROOT@/t/lnk" do
  ignore_failure true
end
link "/etc/passwd" do
  action :delete
  ignore_failure true
end
template "@ROOT@/t/tpl" do
  source "/nope.erb"
  local true
end
user "nosuchuser2" do
  action :modify
  shell "/bin/sh"
end
user "nosuchuser3" do
  gid "nogrp"
  action [:create, :lock]
end
group "nogrp2" do
  action [:modify]
end
group "nogrp3" do
  members %w(a b)
  action [:create, :manage]
end
