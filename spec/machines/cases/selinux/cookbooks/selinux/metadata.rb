name 'selinux'
version '1.0.0'
