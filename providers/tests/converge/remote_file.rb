d, web, ftp = node['d'], "http://#{node['http']}", "ftp://#{node['ftp']}"
sum = 'e4da2d6bcee7d7b0cc3e4dcbb5bf50f3a4b6ee8d1d9d60b5a4f5c4b5fd54cdd6'

remote_file "#{d}/tagged" do
  source "#{web}/tagged"
  mode '0640'
end
remote_file "#{d}/dated" do
  source "#{web}/dated"
end
remote_file "#{d}/each time" do
  source "#{web}/tagged"
  use_conditional_get false
end
remote_file "#{d}/plain" do
  source "#{web}/moved"
end
remote_file "#{d}/checked" do
  source "#{web}/plain"
  checksum Digest::SHA256.hexdigest("plain\n").upcase
end
remote_file "#{d}/wrong" do
  source "#{web}/plain"
  checksum sum
  ignore_failure true
end
remote_file "#{d}/mirrored" do
  source ["#{web}/gone", 'file:///nowhere/x', "#{web}/plain"]
end
remote_file "#{d}/gone" do
  source ["#{web}/gone", 'http://u:secret@127.0.0.1:1/gone']
  http_options(http_retry_count: 0)
  ignore_failure true
end
remote_file "#{d}/round" do
  source "#{web}/round"
  ignore_failure true
end
remote_file "#{d}/token" do
  source "#{web}/token"
  headers('X-Token' => 'secret')
end
remote_file "#{d}/continued" do
  source "#{web}/broken"
  http_options(http_retry_delay: 0)
  sensitive true
end
remote_file "#{d}/short" do
  source "#{web}/short"
  http_options(http_retry_delay: 0)
  ignore_failure true
end
remote_file "#{d}/packed.gz" do
  source "#{web}/packed.gz"
end
remote_file "#{d}/once" do
  source "#{web}/plain"
  action :create_if_missing
end
remote_file "#{d}/local" do
  source "file://#{d}/plain"
end
remote_file "#{d}/ftp" do
  source "#{ftp}/pub/a%20b"
end
remote_file "#{d}/active" do
  source "#{ftp}/%2Fpub/c;type=i"
  ftp_active_mode true
end
remote_file "#{d}/no ftp" do
  source "#{ftp}/missing"
  ignore_failure true
end
remote_file "#{d}/sneaky" do
  source "#{ftp}/x%0d%0aDELE%20y"
  ignore_failure true
end
remote_file "#{d}/sftp" do
  source 'sftp://u:secret@h/x'
  ignore_failure true
end
remote_file "#{d}/share" do
  source '\\\\server\\share'
  ignore_failure true
end
remote_file "#{d}/user" do
  source "#{web}/plain"
  remote_user 'u'
  ignore_failure true
end
remote_file "#{d}/gopher" do
  source 'gopher://h/x'
  ignore_failure true
end
file "#{d}/size" do
  content lazy { File.exist?("#{d}/continued") ? "#{File.size("#{d}/continued")} #{File.readlines("#{d}/continued").each_with_index.all? { |line, i| line == format("line %04d\n", i) }}\n" : 'none' }
end
remote_file "#{d}/active" do
  source "file://#{d}/plain"
  action [:touch, :delete]
end
