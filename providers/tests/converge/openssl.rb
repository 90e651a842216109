d = node['d']
there = ->(name) { File.exist?("#{d}/#{name}") }
openssl_rsa_private_key "#{d}/rsa.key" do
  key_length 1024
end
openssl_ec_private_key "#{d}/ec.key" do
  key_pass 'secret'
  key_cipher 'aes256'
end
openssl_rsa_public_key "#{d}/rsa.pub" do
  private_key_path "#{d}/rsa.key"
  only_if { there['rsa.key'] }
end
openssl_ec_public_key "#{d}/ec.pub" do
  private_key_path "#{d}/ec.key"
  private_key_pass 'secret'
  only_if { there['ec.key'] }
end
openssl_ec_public_key "#{d}/wrong.pub" do
  private_key_path "#{d}/ec.key"
  private_key_pass 'guess'
  only_if { there['ec.key'] }
  ignore_failure true
end
openssl_dhparam "#{d}/dh.pem" do
  key_length 1024
end
openssl_x509_certificate "#{d}/ca.pem" do
  common_name 'An authority'
  org 'O'
  country 'AT'
  expire 30
end
openssl_x509_request "#{d}/leaf.csr" do
  common_name 'leaf.example.com'
  key_type 'ec'
end
openssl_x509_certificate "#{d}/leaf.pem" do
  csr_file "#{d}/leaf.csr"
  ca_cert_file "#{d}/ca.pem"
  ca_key_file "#{d}/ca.key"
  subject_alt_name %w(DNS:leaf.example.com IP:10.0.0.1)
  extensions 'keyUsage' => { 'values' => %w(digitalSignature), 'critical' => true }
  renew_before_expiry 30
end
openssl_x509_crl "#{d}/ca.crl" do
  ca_cert_file "#{d}/ca.pem"
  ca_key_file "#{d}/ca.key"
  serial_to_revoke 'C0FFEE'
  only_if { there['ca.pem'] }
end
openssl_x509_crl "#{d}/ca.crl" do
  ca_cert_file "#{d}/ca.pem"
  ca_key_file "#{d}/ca.key"
  serial_to_revoke 4711
  revocation_reason 4
  only_if { there['ca.pem'] }
end
ruby_block 'what was made' do
  block do
    read = ->(name) { File.read("#{d}/#{name}") }
    ca, leaf = %w(ca.pem leaf.pem).map { |name| OpenSSL::X509::Certificate.new(read[name]) }
    crl = OpenSSL::X509::CRL.new(read['ca.crl'])
    key = OpenSSL::PKey.read(read['ec.key'], 'secret')
    found = [
      OpenSSL::PKey::RSA.new(read['rsa.key']).n.num_bits, key.group.curve_name, read['ec.pub'] == key.public_to_pem,
      ca.verify(ca.public_key), leaf.verify(ca.public_key), leaf.issuer == ca.subject, ca.subject.to_s, leaf.subject.to_s,
      leaf.extensions.map { |extension| [extension.oid, extension.critical?] },
      leaf.extensions.find { |extension| extension.oid == 'subjectAltName' }.value,
      (ca.not_after - ca.not_before) / 86_400, crl.verify(ca.public_key), crl.revoked.map { |revoked| revoked.serial.to_i },
      OpenSSL::PKey::DH.new(read['dh.pem']).params_ok?, File.stat("#{d}/rsa.key").mode.to_s(8),
    ]
    File.write("#{d}/found", found.inspect + "\n")
  end
  only_if { there['ca.crl'] && !there['found'] }
end
execute "cat #{d}/found" do
  live_stream true
  only_if { there['found'] }
end
