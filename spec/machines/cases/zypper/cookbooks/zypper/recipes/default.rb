# Packages by zypper, from repositories on this machine.
zypper_repository 'extra' do
  description 'what only this repository has'
  baseurl 'file:///srv/extra'
  autorefresh false
  gpgcheck false
  gpgkey 'http://127.0.0.1:8099/test.key'
end
zypper_repository 'old' do
  action :remove
end
zypper_package 'spec-extra'

zypper_package 'spec-plain'
zypper_package 'spec-old' do
  version '1.0'
end
zypper_package 'spec-release' do
  version '1.0-1'
end
zypper_package %w(spec-one spec-two) do
  version ['1.0', nil]
end
package 'spec-provider'

zypper_package 'spec-up' do
  action :upgrade
end
zypper_package 'spec-newest' do
  action :upgrade
end
zypper_package 'spec-down' do
  version '1.0'
  allow_downgrade true
end
zypper_package 'spec-stay' do
  version '1.0'
  allow_downgrade false
end
zypper_package 'spec-gone' do
  action :remove
end
zypper_package 'spec-purged' do
  action :purge
end
zypper_package 'spec-never' do
  action :remove
end
zypper_package 'spec-source' do
  source '/srv/files/spec-source-1.0-1.noarch.rpm'
  gpg_check false
end
zypper_package 'spec-locked' do
  action :lock
end
zypper_package 'spec-unlocked' do
  action :unlock
end

{ 'spec-none' => nil, 'spec-plain' => '9.9' }.each do |name, wanted|
  zypper_package "#{name} that is not on offer" do
    package_name name
    version wanted
    ignore_failure true
  end
end
