# A small stand-in for digest-crc: the checksum of Modbus.
module Digest
  class CRC16Modbus
    def self.checksum(data)
      data.each_byte.inject(0xffff) do |crc, byte|
        crc ^= byte
        8.times { crc = crc[0] == 1 ? (crc >> 1) ^ 0xa001 : crc >> 1 }
        crc
      end
    end
  end
end
