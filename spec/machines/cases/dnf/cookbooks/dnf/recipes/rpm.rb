# Package files by rpm alone.
rpm_package 'spec-rpm' do
  source '/srv/files/spec-rpm-1.0-1.noarch.rpm'
end
rpm_package 'spec-rpm-up' do
  source '/srv/files/spec-rpm-up-2.0-1.noarch.rpm'
  action :upgrade
end
rpm_package 'spec-rpm-down' do
  source '/srv/files/spec-rpm-down-1.0-1.noarch.rpm'
  allow_downgrade true
end
rpm_package 'spec-rpm-kept' do
  source '/srv/files/spec-rpm-kept-1.0-1.noarch.rpm'
  allow_downgrade false
end
rpm_package 'spec-rpm-gone' do
  action :remove
end
rpm_package 'spec-absent' do
  source '/srv/files/absent.rpm'
  ignore_failure true
end
