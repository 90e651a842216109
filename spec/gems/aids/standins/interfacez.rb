# A small stand-in for interfacez: network interfaces and their addresses.
require "socket"
module Interfacez
  def self.raw_interface_addresses = Socket.getifaddrs
  def self.all = raw_interface_addresses.map(&:name).uniq
  def self.loopback = all.first || "lo"
  def self.default = loopback
  def self.mac_address_of(_name) = "00:00:00:00:00:00"
  def self.ipv4_address_of(name) = raw_interface_addresses.find { |one| one.name == name && one.addr&.ipv4? }&.addr&.ip_address
  def self.ipv6_addresses_of(name) = raw_interface_addresses.select { |one| one.name == name && one.addr&.ipv6? }.map { |one| one.addr.ip_address }
  def self.ipv6_address_of(name) = ipv6_addresses_of(name).first
end
