# Working copies and exports of a repository on this machine.
trunk = 'file:///srv/svn/trunk'

subversion '/srv/new' do
  repository trunk
end
subversion 'at a revision' do
  destination '/srv/second'
  repository trunk
  revision '2'
  action :checkout
end
subversion '/srv/with a blank' do
  repository trunk
  revision '3'
end
subversion '/srv/empty' do
  repository trunk
  action :checkout
end
subversion '/srv/full' do
  repository trunk
  action :checkout
end

# a working copy that is behind, one that is ahead, one that is only to be there
subversion '/srv/behind' do
  repository trunk
  revision 'HEAD'
end
subversion '/srv/ahead' do
  repository trunk
  revision '2'
end
subversion '/srv/kept' do
  repository trunk
  action :checkout
end
# HEAD is revision 4, which did not touch the trunk
subversion '/srv/again' do
  repository trunk
end

subversion '/srv/exported' do
  repository trunk
  revision '1'
  action :export
end
subversion '/srv/forced' do
  repository trunk
  action :force_export
  not_if 'grep -q three /srv/forced/file'
end

subversion '/srv/anna/copy' do
  repository trunk
  user 'anna'
  group 'anna'
  environment 'LC_MESSAGES' => 'C'
  timeout 60
end
subversion '/srv/served' do
  repository 'svn://127.0.0.1/svn/trunk'
  svn_username 'reader'
  svn_password 's3cret-of-svn'
  svn_info_args '--no-auth-cache'
  svn_arguments '--no-auth-cache'
end

# what is refused, with svn's own words
{ 'none' => 'file:///srv/svn/none', 'absent' => 'file:///srv/nothing' }.each do |name, place|
  subversion "/srv/#{name}" do
    repository place
    ignore_failure true
  end
end
subversion '/srv/denied' do
  repository 'svn://127.0.0.1/svn/trunk'
  svn_username 'reader'
  svn_password 'wr0ng-of-svn'
  svn_info_args '--no-auth-cache'
  svn_arguments '--no-auth-cache'
  ignore_failure true
end
