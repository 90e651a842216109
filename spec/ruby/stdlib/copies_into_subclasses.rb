# OpenSSL's objects copy their structure, whatever the class of the copy.
require "openssl"
key = OpenSSL::PKey::RSA.new(1024)
certificate = OpenSSL::X509::Certificate.new
certificate.subject = certificate.issuer = OpenSSL::X509::Name.parse("/CN=a")
certificate.not_before = certificate.not_after = Time.at(0)
certificate.public_key = key.public_key
certificate.serial = 1
certificate.sign(key, "SHA256")
extension = OpenSSL::X509::ExtensionFactory.new.create_extension("basicConstraints", "CA:TRUE", true)

[certificate, certificate.subject, extension, key].each do |each|
  copy = Class.new(each.class).allocate
  copy.send(:initialize_copy, each)
  p copy.is_a?(each.class), copy.to_der == each.to_der, each.dup == each
end
begin
  OpenSSL::X509::Certificate.allocate.send(:initialize_copy, "x")
rescue TypeError => error
  p error.message
end

# A subclass's instance variables are its own.
class Named < OpenSSL::X509::Certificate
  def subject = @subject ||= "#{super} of a subclass"
  def serial = @serial ||= "#{super}!"
end
named = Named.new(certificate.to_der)
p named.subject, named.serial, named.subject, named.to_der == certificate.to_der, named.issuer.to_s
