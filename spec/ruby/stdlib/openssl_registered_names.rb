# Names of identifiers that a program registers.
require "openssl"
id = OpenSSL::ASN1::ObjectId
p id.register("1.3.6.1.4.1.34380.1.1.1", "pp_uuid", "Puppet Node UUID")
known = id.new("pp_uuid")
p known.oid, known.sn, known.ln
p id.new("1.3.6.1.4.1.34380.1.1.1").sn, id.new("Puppet Node UUID").oid
p OpenSSL::ASN1.decode(id.new("pp_uuid").to_der).value
[["1.3.6.1.4.1.34380.1.1.1", "again", "x"], ["1.2.3.4.5.6", "CN", "x"], ["1.2.x", "zzz", "x"]].each do |words|
  id.register(*words)
rescue OpenSSL::ASN1::ASN1Error => error
  p error
end
p OpenSSL::SSL::SSLContext::DEFAULT_PARAMS.frozen?
