# The same by the name of yum, which dnf answers to.
yum_package 'spec-yum-plain'
yum_package 'spec-yum-old' do
  version '1.0'
end
yum_package %w(spec-yum-one spec-yum-two)
yum_package 'spec-yum-up' do
  action :upgrade
end
yum_package 'upgraded, and there is no newer one' do
  package_name 'spec-newest'
  action :upgrade
end
yum_package 'spec-yum-down' do
  version '1.0-1'
  allow_downgrade true
end
yum_package 'spec-yum-gone' do
  action :remove
end
yum_package 'spec-yum-source' do
  source '/srv/files/spec-yum-source-1.0-1.noarch.rpm'
end
yum_package 'spec-yum-locked' do
  action :lock
end
yum_package 'spec-none' do
  ignore_failure true
end
