# The machine is a Debian that has pacman; by its name it is an Arch Linux, so that `package` means pacman.
node.automatic['platform'] = 'arch'
node.automatic['platform_family'] = 'arch'
