# What is fetched: from a repository of git and from a server, both on this machine.

git '/srv/checkout' do
  repository '/srv/upstream'
  revision 'main'
end
remote_file '/srv/fetched' do
  source 'http://127.0.0.1:8099/fetched'
  checksum '328ef547b121be3aeb0c67180f3e179078de4be355f669473c82a7f13e095e12'
  mode '0644'
end
remote_file '/srv/conditional' do
  source 'http://127.0.0.1:8099/conditional'
end
remote_file '/srv/archive.tar.gz' do
  source 'file:///srv/www/tree.tar.gz'
end
archive_file '/srv/archive.tar.gz' do
  destination '/srv/unpacked'
end
