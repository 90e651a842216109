require "openssl"
config = OpenSSL::Config.parse(<<C)
[custom_policies]
policyIdentifier = 1.3.5.7.8
CPS.0 = http://my.host.name/
CPS.1 = http://other.example/
userNotice.1 = @notice
[notice]
explicitText = Explicit Text Here
organization = Organization Name
noticeNumbers = 1,2,3,4
[plain]
policyIdentifier = 1.3.5.7.9
C
factory = OpenSSL::X509::ExtensionFactory.new
factory.config = config
["ia5org,@custom_policies", "ia5org", "1.2.3.4,anyPolicy", "@custom_policies", "@plain,1.2.3", "@nothing", "1.2.x"].each do |value|
  made = factory.create_ext("certificatePolicies", value, false)
  puts made.value, made.to_der.unpack1("H*")
rescue OpenSSL::X509::ExtensionError => error
  puts error.class
end
certificate = OpenSSL::X509::Certificate.new
certificate.subject = OpenSSL::X509::Name.parse("/CN=a/emailAddress=foo@bar.com/O=b/emailAddress=x@y.z")
factory.subject_certificate = certificate
puts factory.create_ext("subjectAltName", "email:copy,email:fubar@bar.com").value
factory = OpenSSL::X509::ExtensionFactory.new
puts((factory.create_ext("subjectAltName", "email:copy") rescue $!.class))
