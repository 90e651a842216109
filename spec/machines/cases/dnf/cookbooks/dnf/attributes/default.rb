# The machine is a Debian that has dnf; by its name it is of Red Hat's family, so that `package` means dnf.
node.automatic['platform'] = 'rocky'
node.automatic['platform_family'] = 'rhel'
node.automatic['platform_version'] = '9.4'
