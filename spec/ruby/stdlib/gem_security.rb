# Gem::Security: certificates, policies, signed packages and what is refused.
require "openssl"
require "rubygems/security"
require "rubygems/package"
require "rubygems/installer"
require "rubygems/mock_gem_ui"
require "tmpdir"
require "fileutils"

$place = nil
def try
  ui = Gem::MockGemUi.new
  result = begin
    Gem::DefaultUserInteraction.use_ui(ui) { yield }
  rescue StandardError => error
    "#{error.class}: #{error.message.sub(/(not valid (?:after|before)) .*/, '\1 TIME')}"
  end
  puts "=> #{result.inspect.gsub($place, "DIR")}", ui.output.gsub($place, "DIR").gsub(/\d{14}/, "TIME"), ui.error.gsub($place, "DIR")
end

# Keys come from files: making them takes a while.
def key(bits = 2048) = OpenSSL::PKey::RSA.new(bits)
def add(name, bytes, tar) = tar.add_file_simple(name, 0o444, bytes.bytesize) { |out| out.write(bytes) }

Dir.mktmpdir do |dir|
  Dir.chdir($place = File.realpath(dir)) do
    ENV["HOME"] = $place
    ENV["XDG_DATA_HOME"] = nil
    home = $place
    Gem.define_singleton_method(:user_home) { home }
    Gem.define_singleton_method(:data_home) { "#{home}/.local/share" }
    Gem::Security.reset
    S = Gem::Security
    p S::DIGEST_NAME, S::RSA_DSA_KEY_LENGTH, S::EC_NAME, S::DEFAULT_KEY_ALGORITHM, S::ONE_DAY, S::ONE_YEAR, S::EXTENSIONS, S::KEY_CIPHER.class, S::Exception.superclass, S::Policies.keys
    p S.create_digest.class, S.create_digest.name, S.create_digest("SHA512").name, S.create_key("ec").class, S.create_key("EC").group.curve_name
    try { S.create_key("none") }
    p S.email_to_name("ann@gems.example").to_s, S.email_to_name("a n*n@x").to_s
    owner, other = key, key
    cert = S.create_cert_email("ann@gems.example", owner)
    p cert.subject.to_s, cert.issuer.to_s, cert.serial.to_i, cert.version, cert.not_after.to_i - cert.not_before.to_i, cert.verify(cert.public_key), cert.check_private_key(owner), cert.signature_algorithm
    p cert.extensions.map { |each| [each.oid, each.oid == "subjectKeyIdentifier" ? nil : each.value, each.critical?] }
    p S.get_public_key(owner).class, S.get_public_key(owner).private?, S.alt_name_or_x509_entry(cert, :subject), S.alt_name_or_x509_entry(cert, :issuer).to_s
    child = S.sign(S.create_cert(S.email_to_name("bob@gems.example"), other), owner, cert, 3600)
    p child.issuer.to_s, child.subject.to_s, child.verify(cert.public_key), child.extensions.map(&:oid), child.not_after - child.not_before
    bare = S.create_cert(S.email_to_name("eve@x"), other)
    p bare.subject.to_s, bare.issuer.to_s
    old = S.create_cert_self_signed(S.email_to_name("old@x"), owner, -10)
    again = S.re_sign(old, owner, 100)
    p again.serial.to_i, again.subject.to_s, again.not_after > Time.now
    try { S.re_sign(old, other) }
    try { S.re_sign(child, other) }

    S.write(owner, "key.pem")
    S.write(cert, "cert.pem")
    p S.write(owner, "secret.pem", 0o400, "words").sub(home, "DIR"), File.read("secret.pem").include?("ENCRYPTED"), OpenSSL::PKey.read(File.read("secret.pem"), "words").to_pem == owner.to_pem
    p format("%o %o", File.stat("key.pem").mode & 0o777, File.stat("secret.pem").mode & 0o777), File.read("cert.pem") == cert.to_pem

    trust = S.trust_dir
    p trust.class, trust.dir.sub(home, "DIR"), trust.issuer_of(child), trust.each_certificate.to_a, trust.cert_path(cert) == trust.name_path(cert.subject), File.basename(trust.cert_path(cert)).size

    now = Time.now
    policy = S::Policy.new("Own", { only_trusted: false, only_signed: false })
    p policy.name, policy.to_s, policy.verify_data, policy.only_trusted, policy.inspect, S::HighSecurity.inspect, S::NoSecurity.inspect
    p S::Policies.transform_values { |each| %i[verify_data verify_signer verify_chain verify_root only_trusted only_signed].map { |rule| each.public_send(rule) ? 1 : 0 }.join }
    [
      -> { policy.check_cert(nil, nil, now) }, -> { policy.check_cert(cert, nil, now) }, -> { policy.check_cert(cert, nil, now - 500) }, -> { policy.check_cert(old, nil, now) }, -> { policy.check_cert(child, cert, now) },
      -> { policy.check_cert(cert, child, now) }, -> { policy.check_chain(nil, now) }, -> { policy.check_chain([], now) }, -> { policy.check_chain([cert, child], now) }, -> { policy.check_chain([child, cert], now) },
      -> { policy.check_key(cert, owner) }, -> { policy.check_key(cert, other) }, -> { policy.check_key(nil, owner) }, -> { S::HighSecurity.check_key(cert, nil) }, -> { policy.check_root([cert, child], now) },
      -> { policy.check_root([child], now) }, -> { policy.check_root([], now) }, -> { policy.check_root(nil, now) }, -> { policy.check_trust(nil, S.create_digest, nil) }, -> { policy.check_trust([], S.create_digest, nil) },
      -> { policy.check_trust([cert], S.create_digest, nil) }, -> { policy.check_trust([cert, child], S.create_digest, nil) },
      -> { policy.check_data(cert.public_key, S.create_digest, owner.sign(S.create_digest, (S.create_digest << "x").digest), S.create_digest << "x") },
      -> { policy.check_data(cert.public_key, S.create_digest, owner.sign(S.create_digest, "y"), S.create_digest << "x") },
      -> { policy.verify([cert], owner) }, -> { policy.verify([cert], nil, {}, { "a" => "b" }) }, -> { S::HighSecurity.verify([cert]) }, -> { S::LowSecurity.verify([cert], nil, { "SHA256" => { "a" => S.create_digest } }, {}, "x-1") },
      -> { S::LowSecurity.verify([cert], nil, { "SHA256" => { "a" => S.create_digest } }, { "b" => "" }) }, -> { S::LowSecurity.verify([cert], nil, { "SHA256" => { "a" => S.create_digest, "b" => S.create_digest } }, { "a" => owner.sign(S.create_digest, S.create_digest.digest) }) },
      -> { S::AlmostNoSecurity.verify([cert], nil, { "SHA256" => { "a" => S.create_digest } }, { "a" => owner.sign(S.create_digest, S.create_digest.digest) }) }, -> { S::NoSecurity.verify([], nil, {}, {}) }
    ].each { |check| try(&check) }
    p policy.subject(cert), policy.subject(bare)

    signer = S::Signer.new("key.pem", ["cert.pem"])
    p signer.key.class, signer.cert_chain.map { |each| each.subject.to_s }, signer.digest_name, signer.digest_algorithm.class, signer.options, signer.extract_name(cert), signer.extract_name(bare).to_s
    p cert.public_key.verify(S.create_digest, signer.sign("text"), "text"), S::Signer.new(nil, nil).sign("x"), S::Signer.new(nil, nil).cert_chain
    try { S::Signer.new(owner, []).sign("x") }
    try { S::Signer.new(other, [cert]).sign("x") }
    try { S::Signer.new(owner, [old]).sign("x") }
    try { S::Signer.new(other, [child]).sign("x") }
    try { S::Signer.new("secret.pem", ["cert.pem"], "words").sign("x").bytesize }
    puts((S::Signer.new("secret.pem", ["cert.pem"], "wrong") rescue $!.class.superclass))

    File.write("file.rb", "FILE = 1\n")
    spec = Gem::Specification.new { |s| s.name, s.version, s.summary, s.authors, s.files = "signed", "1", "Sum", ["Ann"], ["file.rb"] }
    plain = spec.dup
    plain.name = "plain"
    spec.signing_key, spec.cert_chain = "#{home}/key.pem", ["#{home}/cert.pem"]
    try { Gem::Package.build(spec, true) }
    try { Gem::Package.build(plain, true) }
    parts = []
    File.open("signed-1.gem", "rb") { |file| Gem::Package::TarReader.new(file) { |tar| tar.each { |entry| parts << [entry.full_name, entry.read] } } }
    p parts.map { |name, bytes| [name, name.end_with?(".sig") ? bytes.bytesize : nil] }, spec.signing_key, spec.cert_chain == [cert.to_pem]
    check = lambda do
      %w[signed-1.gem plain-1.gem].each { |file| S::Policies.each { |name, each| puts "#{file} #{name}" and try { Gem::Package.new(file, each).spec.full_name } } }
    end
    check[]
    trust.trust_cert(cert)
    p format("%o %o", File.stat(trust.dir).mode & 0o777, File.stat(trust.cert_path(cert)).mode & 0o777), trust.each_certificate.map { |each, path| [each.subject.to_s, path == trust.cert_path(cert)] }, S.trusted_certificates.size, trust.issuer_of(child).subject.to_s
    p S::Signer.new(other, [child]).cert_chain.map { |each| each.subject.to_s }, cert.public_key.class
    check[]
    try { Gem::Installer.at("signed-1.gem", security_policy: S::HighSecurity, install_dir: "#{home}/gems", force: true).install.full_name }
    try { Gem::Installer.at("plain-1.gem", security_policy: S::HighSecurity, install_dir: "#{home}/gems", force: true).install }
    p Dir["gems/gems/*"]
    # a part that was exchanged, and another key of the same name
    File.open("forged-1.gem", "wb") do |file|
      Gem::Package::TarWriter.new(file) { |tar| parts.each { |name, bytes| add(name, name == "data.tar.gz.sig" ? other.sign(S.create_digest, "x") : bytes, tar) } }
    end
    try { Gem::Package.new("forged-1.gem", S::HighSecurity).spec }
    File.open("short-1.gem", "wb") { |file| Gem::Package::TarWriter.new(file) { |tar| parts.reject { |name,| name == "data.tar.gz.sig" }.each { |name, bytes| add(name, bytes, tar) } } }
    try { Gem::Package.new("short-1.gem", S::HighSecurity).spec }
    File.write(trust.cert_path(cert), S.create_cert_email("ann@gems.example", other).to_pem)
    try { Gem::Package.new("signed-1.gem", S::HighSecurity).spec }
    FileUtils.rm_rf(trust.dir)
    File.write(trust.dir, "")
    try { trust.trust_cert(cert) }
    # the user's own key and certificate
    FileUtils.mkdir_p("#{home}/.gem")
    S.write(owner, Gem.default_key_path.sub(".local/share/gem", ".gem"))
    S.write(old, Gem.default_cert_path.sub(".local/share/gem", ".gem"))
    own = S::Signer.new(nil, nil)
    p own.key.class, own.cert_chain.size, Gem.default_key_path.sub(home, "DIR"), Gem.default_cert_path.sub(home, "DIR")
    try { own.sign("x").bytesize }
    p own.cert_chain.map { |each| each.serial.to_i }, Dir[".gem/*"].map { |path| path.sub(/\d{14}/, "TIME") }.sort
  end
end
