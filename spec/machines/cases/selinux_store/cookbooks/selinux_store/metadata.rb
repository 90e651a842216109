name 'selinux_store'
version '1.0.0'
