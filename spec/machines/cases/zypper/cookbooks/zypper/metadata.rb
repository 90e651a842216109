name 'zypper'
version '1.0.0'
