# Packages by dnf, from repositories on this machine.
yum_repository 'extra' do
  description 'what only this repository has'
  baseurl 'file:///srv/extra'
  gpgcheck false
end
yum_repository 'old' do
  action :delete
end
dnf_package 'spec-extra'
dnf_package 'spec-other' do
  options '--enablerepo=other'
end

dnf_package 'spec-plain'
dnf_package 'spec-old' do
  version '1.0'
end
dnf_package 'spec-release' do
  version '1.0-1'
end
dnf_package 'spec-glob' do
  version '1.*'
end
dnf_package 'spec-epoch' do
  version '2:1.0'
end
dnf_package %w(spec-one spec-two) do
  version ['1.0', nil]
end
dnf_package 'spec-arch' do
  arch 'noarch'
end
dnf_package 'spec-dot.noarch'
dnf_package 'spec-virtual'
dnf_package 'spec-cond >= 1.5'
dnf_package '/usr/share/spec-path/version'

dnf_package 'spec-up' do
  action :upgrade
end
dnf_package 'spec-newest' do
  action :upgrade
end
dnf_package 'spec-down' do
  version '1.0'
end
dnf_package 'spec-stay' do
  version '1.0'
  allow_downgrade false
end
dnf_package 'spec-gone' do
  action :remove
end
dnf_package 'spec-purged' do
  action :purge
end
dnf_package 'spec-never' do
  action :remove
end

dnf_package 'spec-source' do
  source '/srv/files/spec-source-1.0-1.noarch.rpm'
end
dnf_package '/srv/files/spec-named-1.0-1.noarch.rpm'

# a package that is kept at its version has no other candidate
dnf_package 'spec-locked' do
  action [:lock, :upgrade]
end
dnf_package 'spec-unlocked' do
  action :unlock
end
dnf_package 'spec-both' do
  version '1.0'
  action [:install, :lock]
end

dnf_package 'spec-reload' do
  flush_cache before: true
  action [:flush_cache, :install]
end

{ 'spec-none' => nil, 'spec-plain' => '9.9' }.each do |name, wanted|
  dnf_package "#{name} that is not on offer" do
    package_name name
    version wanted
    ignore_failure true
  end
end
