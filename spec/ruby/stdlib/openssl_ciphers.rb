# The names are there before any cipher is used.
require "openssl"
p OpenSSL::Cipher.ciphers.size > 150, OpenSSL::Cipher.ciphers.include?("aes-256-gcm"), OpenSSL::Cipher.ciphers.sort == OpenSSL::Cipher.ciphers
