# The machine is a Debian that has zypper; zypper_repository does nothing but on machines of SUSE's family.
node.automatic['platform'] = 'opensuseleap'
node.automatic['platform_family'] = 'suse'
node.automatic['platform_version'] = '15.5'
