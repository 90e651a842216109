# A repository on this machine, which `prepare` has made.

apt_repository 'local' do
  uri 'file:///srv/archive'
  distribution './'
  components []
  trusted true
  # the machine's own sources are not asked
  options []
end
apt_preference 'tool' do
  package_name 'spec-tool'
  pin 'release *'
  pin_priority '700'
end
package 'spec-tool' do
  version '1.0'
end
package %w(spec-one spec-two)
dpkg_package 'spec-file' do
  source '/srv/archive/spec-file_1.0_all.deb'
end
package 'spec-gone' do
  action :purge
end
