# Packages by pacman, from a repository on this machine.
pacman_package 'spec-plain'
pacman_package %w(spec-one spec-two)
pacman_package 'spec-needs' do
  version '1:1.0-1'
end
package 'spec-dependency'
pacman_package 'spec-overwrites' do
  options '--overwrite=*'
end

pacman_package 'spec-up' do
  action :upgrade
end
pacman_package 'spec-newest' do
  action :upgrade
end
pacman_package 'spec-stay'
pacman_package %w(spec-gone spec-gone-too) do
  action :remove
end
pacman_package 'spec-purged' do
  options '--nosave'
  action :purge
end

pacman_package 'spec-none' do
  ignore_failure true
end
pacman_package 'spec-plain with a version that is not on offer' do
  package_name 'spec-plain'
  version '9.9-1'
  ignore_failure true
end
