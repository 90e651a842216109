require "openssl/x509/extensions"

module OpenSSL
  # Certificates, requests, revocation lists, names and extensions as data; signatures and chains are native.
  module X509
    class NameError < OpenSSLError; end
    class ExtensionError < OpenSSLError; end
    class RevokedError < OpenSSLError; end
    class AttributeError < OpenSSLError; end

    # The identifier of a name or of a dotted one; nil if the library knows none.
    module Known
      def self.dotted(name)
        ASN1.dotted(name)
      rescue ASN1::ASN1Error
        nil
      end
    end
    private_constant :Known

    # Copies the state, also from an object of another subclass: OpenSSL copies the structure, which knows no class of Ruby's.
    module Copied
      KINDS = { Certificate: "X509", Request: "X509/REQ", CRL: "X509/CRL", Name: "X509/NAME", Extension: "X509/EXT", Attribute: "X509/ATTR", Revoked: "X509/REV" }.freeze

      def initialize_copy(other)
        return self if equal?(other)
        kind, shown = KINDS.map { |name, text| [X509.const_get(name), text] }.find { |each, _| is_a?(each) }
        raise TypeError, "wrong argument type #{other.class} (expected OpenSSL/#{shown})" unless other.is_a?(kind)
        other.instance_variables.each do |name|
          value = other.instance_variable_get(name)
          instance_variable_set(name, value.is_a?(Array) ? value.dup : value)
        end
        self
      end
      private :initialize_copy
    end
    private_constant :Copied

    # Attributes of what has a body: after a change its bytes are made anew. The block makes the value of what is given.
    module Attributes
      private

      def attributes_of_body(*names, &made)
        names.each do |name|
          variable = :"@x509_#{name}"
          define_method(name) { instance_variable_get(variable) }
          define_method(:"#{name}=") do |value|
            @x509_body = nil
            instance_variable_set(variable, made ? made.call(value) : value)
          end
        end
      end
    end
    private_constant :Attributes

    # Signing and its check, for what has a body, an algorithm and a signature: by the library, over the bytes themselves. In OpenSSL these objects have no
    # instance variables: the names of ours are such that a subclass's own are others.
    module Signed
      include Copied
      def sign(key, digest)
        raise TypeError, "wrong argument type #{digest.nil? ? "nil" : digest.class} (expected OpenSSL/Digest)" unless digest.is_a?(OpenSSL::Digest) || digest.is_a?(String) || digest.nil? && key.instance_of?(PKey::PKey)
        @x509_body = nil
        take(Native.sign(self.class::LABEL, to_der, key, digest), self.class::ERROR)
        self
      end

      def verify(key) = Native.verify(self.class::LABEL, to_der, key)

      def signature_algorithm = ASN1.long_name(@x509_algorithm[0].value)
      # The bytes as they were read or signed, until something is changed.
      def to_der = @x509_body && @x509_der || ASN1::Sequence([ASN1.decode(body_der), ASN1::Sequence(@x509_algorithm), ASN1::BitString(@x509_signature.to_s)]).to_der
      def to_pem = PEM.encode(self.class::LABEL, to_der)
      alias to_s to_pem
      def ==(other) = other.class == self.class && to_der == other.to_der

      private

      def add(list, item)
        @x509_body = nil
        list << item
        item
      end

      def parse(source, error)
        source = source.to_der if source.respond_to?(:to_der)
        source = source.read if source.respond_to?(:read)
        raise TypeError, "no implicit conversion of #{source.nil? ? "nil" : source.class} into String" unless source.is_a?(String)
        der = source
        if source.include?("-----BEGIN")
          found = PEM.decode(source).find { |label, *| label.end_with?(self.class::LABEL.split.last) && !label.include?("KEY") } or raise error, "PEM_read_bio_#{self.class::FORM}: no start line"
          der = found[2]
        end
        raise error, "PEM_read_bio_#{self.class::FORM}: no start line" unless Native.form?(self.class::LABEL, der)
        take(der, error)
      end

      # Takes the fields of what is in this form.
      def take(der, error)
        tree = ASN1.decode(der)
        body, algorithm, signature = tree.value
        raise ASN1::ASN1Error, "wrong form" unless body.is_a?(ASN1::Sequence) && algorithm.is_a?(ASN1::Sequence) && signature.is_a?(ASN1::BitString)
        @x509_body, @x509_der = body.to_der, der.b
        @x509_algorithm = algorithm.value
        @x509_signature = signature.value
        body.value
      rescue ASN1::ASN1Error => problem
        raise error, "#{self.class.name.split("::").last}: #{problem.message}"
      end
    end

    class Name
      include Copied
      COMPAT = 0
      RFC2253 = 17_892_119
      ONELINE = 8_520_479
      MULTILINE = 44_302_342
      DEFAULT_OBJECT_TYPE = ASN1::UTF8STRING
      OBJECT_TYPE_TEMPLATE = Hash.new(ASN1::UTF8STRING).merge!("C" => ASN1::PRINTABLESTRING, "countryName" => ASN1::PRINTABLESTRING, "serialNumber" => ASN1::PRINTABLESTRING, "dnQualifier" => ASN1::PRINTABLESTRING, "DC" => ASN1::IA5STRING, "domainComponent" => ASN1::IA5STRING, "emailAddress" => ASN1::IA5STRING)
      include Comparable

      class << self
        def parse_openssl(text, template = OBJECT_TYPE_TEMPLATE)
          parts = text.start_with?("/") ? text.split("/").drop(1).each_with_object([]) { |part, all| part.include?("=") || all.empty? ? all << part : all.last << "/" << part } : text.split(/\s*,\s*/)
          new(parts.map { |part| part.split("=", 2) }, template)
        end
        alias parse parse_openssl
        def parse_rfc2253(text, template = OBJECT_TYPE_TEMPLATE) = new(text.split(/(?<!\\),\s*/).map { |part| part.split("=", 2).map { |each| each.gsub(/\\(.)/, '\1') } }.reverse, template)
      end

      def initialize(source = [], template = OBJECT_TYPE_TEMPLATE)
        @entries = []
        if source.is_a?(String) || source.respond_to?(:to_der)
          read(ASN1.decode(source))
        else
          source.each { |name, value, type| add_entry(name, value, type || template[name] || DEFAULT_OBJECT_TYPE) }
        end
      end

      def self.from_tree(tree) = new.tap { |name| name.__send__(:read, tree) }

      # With `set: -1`, the entry belongs to the one before it.
      def add_entry(name, value, type = nil, loc: -1, set: 0)
        raise TypeError, "no implicit conversion of nil into String" if value.nil?
        oid = begin
          ASN1.dotted(name)
        rescue ASN1::ASN1Error
          raise NameError, "invalid field name"
        end
        entry = [ASN1.name_of(oid), value, type || OBJECT_TYPE_TEMPLATE[name], set == -1 && !@entries.empty?]
        @entries.insert(loc.between?(0, @entries.size) ? loc : -1, entry)
        self
      end

      def to_a = @entries.map { |name, value, type| [name, value.b, type] }
      def to_der = ASN1::Sequence(sets { |name, value, type| [ASN1::ObjectId(name), ASN1::Primitive.new(value, type)] }).to_der
      def to_s(format = nil)
        case format
        when nil then one_line
        when COMPAT then one_line.delete_prefix("/").gsub(%r{/(?=[A-Z]{1,2}=)}, ", ")
        when ONELINE then joined(@entries, ", ", " + ") { |name, value| "#{name} = #{quoted(value)}" }
        when MULTILINE then joined(@entries, "\n", " + ") { |name, value| "#{ASN1.long_name(name).ljust(25)} = #{unprintable(value)}" }
        else backwards { |name, value| "#{name}=#{unprintable(escaped(value))}" }
        end
      end
      def to_utf8 = backwards { |name, value| "#{name}=#{controls(escaped(value)).dup.force_encoding("UTF-8")}" }
      def inspect = "#<#{self.class} #{to_utf8}>"
      def cmp(other) = other.is_a?(Name) ? canonical <=> other.canonical : nil
      alias <=> cmp
      def eql?(other) = other.is_a?(Name) && canonical == other.canonical
      alias == eql?
      def canonical = groups.map { |entries| entries.map { |name, value,| [name, value.b.downcase.strip.squeeze(" ")] }.sort }
      protected :canonical

      # The number by which libcrypto finds a certificate in a directory: of the canonical form, without the outer header.
      def hash
        parts = sets { |name, value| [ASN1::ObjectId(name), ASN1::UTF8String(value.b.downcase.strip.squeeze(" "))] }
        OpenSSL::Digest.digest("SHA1", parts.map(&:to_der).join).unpack1("V")
      end

      # The number that libcrypto had before 1.0.
      def hash_old = OpenSSL::Digest.digest("MD5", to_der).unpack1("V")

      private

      # The entries that stand together.
      def groups = @entries.slice_when { |_, entry| !entry[3] }
      # The same in ASN.1: a set has its parts in the order of their bytes.
      def sets = groups.map { |entries| ASN1::Set(entries.map { |name, value, type,| ASN1::Sequence(yield(name, value, type)) }.sort_by(&:to_der)) }
      # The texts of entries, with one mark between entries and another within what stands together.
      def joined(entries, between, within)
        entries.each_with_index.map { |(name, value, _, together), index| "#{together ? within : between unless index == 0}#{yield(name, value)}" }.join
      end
      # From the last entry to the first; the mark before an entry tells of the one that is printed before it.
      def backwards
        marks = @entries.map { |entry| entry[3] ? "+" : "," }
        @entries.each_with_index.map { |(name, value), index| "#{yield(name, value)}#{marks[index] unless index == 0}" }.reverse.join
      end
      def one_line
        return "" if @entries.empty?
        "/" + joined(@entries, "/", "+") { |name, value| "#{name}=#{value.b.gsub(%r{[^ -~]|[/+]}n) { |char| char.match?(/[ -~]/n) ? "\\#{char}" : format("\\x%02X", char.ord) }}" }
      end

      # RFC 2253's escapes: marks anywhere, a space at either end, a number sign at the start of what is longer.
      def escaped(value) = value.gsub(/[,+"\\<>;]|\A#(?=.)|\A | \z/m) { |char| "\\#{char}" }
      def controls(value) = value.gsub(/[\x00-\x1F\x7F]/) { |char| format("\\%02X", char.ord) }
      def unprintable(value) = controls(value.b).gsub(/[\x80-\xFF]/n) { |char| format("\\%02X", char.ord) }
      # The same by quotes around it.
      def quoted(value) = escaped(value) == value ? unprintable(value) : "\"#{unprintable(value.gsub(/["\\]/) { |char| "\\#{char}" })}\""

      def read(tree)
        tree.value.each do |set|
          set.value.each_with_index { |pair, index| @entries << [pair.value[0].value, pair.value[1].value, pair.value[1].tag, index > 0] }
        end
      end
    end

    class Extension
      include Copied
      KEY_USAGE = ["Digital Signature", "Non Repudiation", "Key Encipherment", "Data Encipherment", "Key Agreement", "Certificate Sign", "CRL Sign", "Encipher Only", "Decipher Only"].freeze
      EXTENDED = { "serverAuth" => "TLS Web Server Authentication", "clientAuth" => "TLS Web Client Authentication", "codeSigning" => "Code Signing", "emailProtection" => "E-mail Protection", "timeStamping" => "Time Stamping", "OCSPSigning" => "OCSP Signing" }.freeze
      attr_reader :oid, :value_der
      attr_writer :critical

      def oid=(name)
        Known.dotted(name) or raise ExtensionError, "OBJ_txt2obj: unknown object name"
        @oid = name
      end

      def value=(given)
        given = given.to_der if given.respond_to?(:to_der)
        raise TypeError, "no implicit conversion of #{given.nil? ? "nil" : given.class} into String" unless given.respond_to?(:to_str)
        @value_der = given.to_str.b
      end

      def initialize(oid, value = nil, critical = false)
        if value.nil?
          parts = (oid.is_a?(String) ? ASN1.decode(oid) : oid).value
          @oid = parts[0].value
          @critical = parts.size > 2 && parts[1].value
          @value_der = parts.last.value
        else
          self.oid = oid
          self.value = value
          @critical = critical
        end
      end
      def critical? = !!@critical
      def to_der = tree.to_der
      def tree = ASN1::Sequence([ASN1::ObjectId(@oid), *(critical? ? [ASN1::Boolean(true)] : []), ASN1::OctetString(@value_der)])
      def to_a = [oid, value, critical?]
      def to_h = { "oid" => oid, "value" => value, "critical" => critical? }
      def to_s = "#{oid} = #{"critical, " if critical?}#{value.gsub("\n", ", ")}"
      def inspect = "#<#{self.class}>"
      def ==(other) = other.is_a?(Extension) && to_der == other.to_der

      # As `openssl x509 -text` shows it.
      def value
        tree = ASN1.decode(@value_der)
        case @oid
        when "basicConstraints"
          ca = tree.value.any? { |each| each.is_a?(ASN1::Boolean) && each.value }
          length = tree.value.find { |each| each.is_a?(ASN1::Integer) }
          "CA:#{ca ? "TRUE" : "FALSE"}#{", pathlen:#{length.value.to_i}" if length}"
        when "keyUsage" then tree.value.unpack1("B*").chars.each_with_index.select { |bit, _| bit == "1" }.map { |_, index| KEY_USAGE[index] }.join(", ")
        when "extendedKeyUsage" then tree.value.map { |each| EXTENDED.fetch(each.value, each.value) }.join(", ")
        when "subjectKeyIdentifier" then hex(tree.value)
        when "authorityKeyIdentifier"
          found = tree.value.find { |each| each.tag == 0 }
          found ? hex(found.value) : ""
        when "subjectAltName", "issuerAltName" then tree.value.map { |each| general_name(each) }.join(", ")
        else Native.extension_text(ASN1.dotted(@oid), @value_der) || bare
        end
      rescue ASN1::ASN1Error
        bare
      end

      private

      # The bytes themselves, where nothing is known of what they say.
      def bare = @value_der.gsub(/[^ -~\n\r]/n, ".")
      def hex(bytes) = bytes.unpack1("H*").upcase.scan(/../).join(":")
      def general_name(name)
        case name.tag
        when 1 then "email:#{name.value}"
        when 2 then "DNS:#{name.value}"
        when 6 then "URI:#{name.value}"
        when 7 then "IP Address:#{name.value.bytesize == 4 ? name.value.bytes.join(".") : name.value.unpack("n*").map { |each| each.to_s(16).upcase }.join(":")}"
        when 4 then "DirName:#{Name.from_tree(name.value[0]).to_s.delete_prefix("/").gsub("/", ", ")}"
        else "othername:<unsupported>"
        end
      end
    end

    class ExtensionFactory
      USAGE_NAMES = %w(digitalSignature nonRepudiation keyEncipherment dataEncipherment keyAgreement keyCertSign cRLSign encipherOnly decipherOnly).freeze
      attr_accessor :subject_certificate, :issuer_certificate, :subject_request, :crl, :config

      def initialize(issuer = nil, subject = nil, request = nil, crl = nil)
        @issuer_certificate, @subject_certificate, @subject_request, @crl = issuer, subject, request, crl
      end

      def create_ext(oid, value, critical = false)
        raise TypeError, "no implicit conversion of #{value.nil? ? "nil" : value.class} into String" unless value.respond_to?(:to_str)
        dotted = Known.dotted(oid) or raise ExtensionError, "unknown OID `#{oid}'"
        if value.start_with?("critical")
          critical = true
          value = value.sub(/\Acritical\s*,?\s*/, "")
        end
        Extension.new(ASN1.name_of(dotted), tree(oid, value), critical)
      rescue ASN1::ASN1Error => error
        raise ExtensionError, "#{oid} = #{value}: #{error.message}"
      end

      def create_extension(*parts) = parts.size > 1 ? create_ext(*parts) : __send__("create_ext_from_#{parts[0].class.name.downcase}", parts[0])
      def create_ext_from_string(text) = create_ext(*text.split("=", 2).map(&:strip))
      def create_ext_from_array(parts)
        raise ExtensionError, "unexpected array form" if parts.size > 3
        create_ext(*parts)
      end
      def create_ext_from_hash(parts) = create_ext(parts["oid"], parts["value"], parts["critical"])

      private

      # `@name` stands for the names that a section of the configuration lists.
      def listed(value)
        section = @config && value.start_with?("@") ? @config[value.delete_prefix("@")] : nil
        section.nil? || section.empty? ? value : section.map { |kind, name| "#{kind.sub(/\..*/m, "")}:#{name}" }.join(",")
      end

      def tree(oid, value)
        return ASN1.decode([value.delete_prefix("DER:").delete(":")].pack("H*")) if value.start_with?("DER:")
        if value.start_with?("ASN1:")
          require "openssl/x509/generate"
          return GeneratedValue.new(@config).made(value.delete_prefix("ASN1:"))
        end
        value = listed(value) unless oid == "certificatePolicies"
        case oid
        when "basicConstraints" then constraints(value)
        when "keyUsage" then usage(value)
        when "extendedKeyUsage" then ASN1::Sequence(value.split(/\s*,\s*/).map { |name| ASN1::ObjectId(ASN1.dotted(name)) })
        when "subjectKeyIdentifier" then ASN1::OctetString(value == "hash" ? key_id(subject_key) : [value.delete(":")].pack("H*"))
        when "authorityKeyIdentifier" then authority(value)
        when "subjectAltName", "issuerAltName" then ASN1::Sequence(value.split(/\s*,\s*/).flat_map { |name| name == "email:copy" ? addresses : general_name(name) })
        when "nsComment" then ASN1::IA5String(value)
        when "certificatePolicies" then ASN1::Sequence(policies(value))
        else
          made = Native.extension(oid, value) or raise ExtensionError, "#{oid} = #{value}: unknown extension"
          ASN1.decode(ASN1.decode(made).value.last.value)
        end
      end

      # Identifiers of policies, or sections of the configuration that say more of one; what stands after `ia5org` may have organizations' names in IA5.
      def policies(value)
        ia5 = false
        value.split(/\s*,\s*/).filter_map do |part|
          if part == "ia5org"
            ia5 = true
            nil
          elsif part.start_with?("@")
            policy(section(part), ia5)
          else
            ASN1::Sequence([ASN1::ObjectId(ASN1.dotted(part))])
          end
        end
      end

      def policy(settings, ia5)
        identifier = settings["policyIdentifier"] or raise ExtensionError, "no policy identifier"
        qualifiers = settings.filter_map do |name, text|
          case name
          when /\ACPS/ then ASN1::Sequence([ASN1::ObjectId("1.3.6.1.5.5.7.2.1"), ASN1::IA5String(text)])
          when /\AuserNotice/ then ASN1::Sequence([ASN1::ObjectId("1.3.6.1.5.5.7.2.2"), notice(section(text), ia5)])
          end
        end
        list = [ASN1::ObjectId(ASN1.dotted(identifier))]
        list << ASN1::Sequence(qualifiers) unless qualifiers.empty?
        ASN1::Sequence(list)
      end

      def notice(settings, ia5)
        list = []
        if settings["organization"] || settings["noticeNumbers"]
          raise ExtensionError, "need organization and numbers" unless settings["organization"] && settings["noticeNumbers"]
          organization = settings["organization"]
          numbers = settings["noticeNumbers"].split(/\s*,\s*/).map { |number| ASN1::Integer(Integer(number)) }
          list << ASN1::Sequence([ia5 ? ASN1::IA5String(organization) : ASN1::ISO64String(organization), ASN1::Sequence(numbers)])
        end
        list << ASN1::ISO64String(settings["explicitText"]) if settings["explicitText"]
        ASN1::Sequence(list)
      end

      def section(name)
        found = @config && @config[name.delete_prefix("@")]
        raise ExtensionError, "invalid section: #{name.delete_prefix("@")}" if found.nil? || found.empty?
        found
      end

      # The addresses that the subject's name has.
      def addresses
        of = @subject_certificate || @subject_request || raise(ExtensionError, "no subject details")
        of.subject.to_a.filter_map { |kind, address,| general_name("email:#{address}") if kind == "emailAddress" }
      end

      def constraints(value)
        settings = value.split(/\s*,\s*/).to_h { |part| part.split(":", 2).map(&:strip) }
        list = []
        list << ASN1::Boolean(true) if settings["CA"].to_s.match?(/\Atrue\z/i)
        list << ASN1::Integer(Integer(settings["pathlen"])) if settings["pathlen"]
        ASN1::Sequence(list)
      end

      def usage(value)
        bits = "0" * 9
        value.split(/\s*,\s*/).each do |name|
          at = USAGE_NAMES.index(name) || Extension::KEY_USAGE.index(name) or raise ExtensionError, "keyUsage = #{value}: unknown bit string argument"
          bits[at] = "1"
        end
        bits = bits.sub(/0+\z/, "")
        ASN1::BitString([bits].pack("B*")).tap { |made| made.unused_bits = -bits.size % 8 }
      end

      def subject_key = (@subject_certificate || @subject_request || raise(ExtensionError, "subjectKeyIdentifier = hash: no public key")).public_key
      def key_id(key) = OpenSSL::Digest.digest("SHA1", ASN1.decode(key.public_to_der).value[1].value)

      def authority(value)
        raise ExtensionError, "authorityKeyIdentifier = #{value}: no issuer certificate" unless @issuer_certificate
        parts = []
        if value.include?("keyid")
          found = @issuer_certificate.extensions.find { |each| each.oid == "subjectKeyIdentifier" }
          parts << ASN1.context(0, found ? ASN1.decode(found.value_der).value : key_id(@issuer_certificate.public_key))
        end
        if value.include?("issuer:always") || (value.include?("issuer") && parts.empty?)
          parts << ASN1.context(1, [ASN1.context(4, [ASN1.decode(@issuer_certificate.issuer.to_der)])])
          parts << ASN1.context(2, ASN1.integer(@issuer_certificate.serial.to_i))
        end
        ASN1::Sequence(parts)
      end

      def general_name(text)
        kind, value = text.split(":", 2)
        case kind
        when "DNS" then ASN1.context(2, value)
        when "email" then ASN1.context(1, value)
        when "URI" then ASN1.context(6, value)
        when "IP" then ASN1.context(7, address(value))
        when "RID" then ASN1.context(8, ASN1.oid_bytes(value))
        else raise ExtensionError, "subjectAltName = #{text}: unsupported name"
        end
      end
    end

    class ExtensionFactory
      private

      def address(text)
        return text.split(".").map { |part| Integer(part, 10) }.pack("C4") unless text.include?(":")
        head, tail = text.split("::", 2).map { |part| part.split(":").map(&:hex) }
        head, tail = head || [], tail || []
        (head + [0] * (8 - head.size - tail.size) + tail).pack("n8")
      rescue ArgumentError
        raise ExtensionError, "subjectAltName = IP:#{text}: bad ip address"
      end
    end

    class Attribute
      include Copied
      attr_reader :oid, :value
      def initialize(oid, *rest)
        if rest.empty?
          tree = oid.is_a?(String) ? ASN1.decode(oid) : oid
          @oid, @value = tree.value[0].value, tree.value[1]
        else
          self.oid = oid
          self.value = rest[0]
        end
      rescue ASN1::ASN1Error
        raise AttributeError, "nested asn1 error" if rest.empty?
        raise
      end

      def oid=(name)
        @oid = ASN1.name_of(Known.dotted(name) || raise(AttributeError, "unknown object name"))
      end

      # What is given is kept as its bytes say it: extensions in it are sequences from then on.
      def value=(given)
        raise TypeError, "wrong argument (#{given.class})! (Expected kind of OpenSSL::ASN1::ASN1Data)" unless given.is_a?(ASN1::ASN1Data)
        raise ASN1::ASN1Error, "argument must be ASN1::Set" unless given.tag == ASN1::SET
        @value = ASN1.decode(given.to_der)
      end
      def tree = ASN1::Sequence([ASN1::ObjectId(@oid), @value])
      def to_der = tree.to_der
    end

    class Certificate
      include Signed
      LABEL = "CERTIFICATE"
      ERROR = CertificateError
      FORM = "X509"
      extend Attributes
      attributes_of_body :version, :subject, :issuer, :extensions
      # A certificate has whole seconds.
      attributes_of_body(:not_before, :not_after) { |time| Time.at(time.to_i).utc }
      attributes_of_body(:serial) { |number| number.is_a?(BN) ? number : BN.new(number) }

      class << self
        def load(text) = text.include?("-----BEGIN") ? PEM.decode(text).select { |label,| label == LABEL }.map { |_, _, der| new(der) } : [new(text)]
        def load_file(path) = load(File.binread(path))
      end

      def initialize(source = (none = true))
        @x509_version, @x509_serial, @x509_subject, @x509_issuer, @x509_extensions = 0, BN.new(0), Name.new, Name.new, []
        @x509_algorithm = [ASN1::ObjectId("RSA-SHA256"), ASN1::Null(nil)]
        return if none
        fields = parse(source, CertificateError)
        explicit = fields.first.tag_class == :CONTEXT_SPECIFIC ? fields.shift : nil
        @x509_version = explicit ? explicit.value[0].value.to_i : 0
        @x509_serial = fields[0].value
        @x509_issuer = Name.from_tree(fields[2])
        @x509_not_before, @x509_not_after = fields[3].value.map(&:value)
        @x509_subject = Name.from_tree(fields[4])
        @x509_key_tree = fields[5]
        list = fields.find { |each| each.tag_class == :CONTEXT_SPECIFIC && each.tag == 3 }
        @x509_extensions = list ? list.value[0].value.map { |each| Extension.new(each) } : []
      rescue ::NoMethodError => error
        raise CertificateError, "nested asn1 error: #{error.message}"
      end

      def public_key = @x509_public_key ||= @x509_key_tree && OpenSSL::PKey.read(@x509_key_tree.to_der)
      def public_key=(key)
        @x509_body = nil
        @x509_public_key = key
      end
      def add_extension(extension) = add(@x509_extensions, extension)
      include Extension::SubjectKeyIdentifier
      include Extension::AuthorityKeyIdentifier
      include Extension::CRLDistributionPoints
      include Extension::AuthorityInfoAccess
      def ca? = !!find_extension("basicConstraints")&.value&.start_with?("CA:TRUE")
      def check_private_key(key) = key.private? && public_key.public_to_der == key.public_to_der
      def inspect = "#<#{self.class}: subject=#{subject.inspect}, issuer=#{issuer.inspect}, serial=#{serial.inspect}, not_before=#{not_before}, not_after=#{not_after}>"
      def to_text = Native.to_text(to_der)

      private

      def body_der
        @x509_body ||= begin
          raise CertificateError, "public key and validity are needed" unless public_key && not_before && not_after
          fields = []
          fields << ASN1.context(0, [ASN1::Integer(version)]) if version > 0
          fields << ASN1::Integer(serial) << ASN1::Sequence(@x509_algorithm) << ASN1.decode(issuer.to_der)
          fields << ASN1::Sequence([not_before, not_after].map { |time| time.getutc.year < 2050 ? ASN1::UTCTime(time) : ASN1::GeneralizedTime(time) })
          fields << ASN1.decode(subject.to_der) << ASN1.decode(public_key.public_to_der)
          fields << ASN1.context(3, [ASN1::Sequence(extensions.map(&:tree))]) unless extensions.empty?
          ASN1::Sequence(fields).to_der
        end
      end
    end

    class Request
      include Signed
      LABEL = "CERTIFICATE REQUEST"
      ERROR = RequestError
      FORM = "X509_REQ"
      extend Attributes
      attributes_of_body :version, :subject, :attributes
      attributes_of_body(:public_key) { |key| key.is_a?(PKey::RSA) && key.private? ? key.public_key : key }

      def initialize(source = (none = true))
        @x509_version, @x509_subject, @x509_attributes = 0, Name.new, []
        @x509_algorithm = [ASN1::ObjectId("RSA-SHA256"), ASN1::Null(nil)]
        return if none
        fields = parse(source, RequestError)
        @x509_version = fields[0].value.to_i
        @x509_subject = Name.from_tree(fields[1])
        @x509_public_key = OpenSSL::PKey.read(fields[2].to_der)
        @x509_attributes = fields[3] ? fields[3].value.map { |each| Attribute.new(each) } : []
      end

      def add_attribute(attribute) = add(@x509_attributes, attribute)
      def inspect = "#<#{self.class}>"

      private

      def body_der
        @x509_body ||= ASN1::Sequence([ASN1::Integer(version), ASN1.decode(subject.to_der), ASN1.decode(public_key.public_to_der), ASN1.context(0, attributes.map(&:tree))]).to_der
      end
    end

    class Revoked
      include Copied
      extend Attributes
      attributes_of_body :time, :extensions
      attributes_of_body(:serial) { |number| number.is_a?(BN) ? number : BN.new(number) }
      def initialize
        @x509_extensions = []
      end
      def add_extension(extension) = @x509_extensions << extension
      def self.from_tree(tree)
        made = new
        made.serial, made.time = tree.value[0].value, tree.value[1].value
        made.extensions = tree.value[2].value.map { |each| Extension.new(each) } if tree.value[2]
        made
      end
      def tree = ASN1::Sequence([ASN1::Integer(@x509_serial), ASN1::UTCTime(@x509_time), *(@x509_extensions.empty? ? [] : [ASN1::Sequence(@x509_extensions.map(&:tree))])])
    end

    class CRL
      include Extension::AuthorityKeyIdentifier
      include Signed
      LABEL = "X509 CRL"
      ERROR = CRLError
      FORM = "X509_CRL"
      extend Attributes
      attributes_of_body :version, :issuer, :last_update, :next_update, :revoked, :extensions

      def initialize(source = (none = true))
        @x509_version, @x509_issuer, @x509_revoked, @x509_extensions = 0, Name.new, [], []
        @x509_algorithm = [ASN1::ObjectId("RSA-SHA256"), ASN1::Null(nil)]
        return if none
        fields = parse(source, CRLError)
        @x509_version = fields.shift.value.to_i if fields.first.is_a?(ASN1::Integer)
        @x509_issuer = Name.from_tree(fields[1])
        times = fields.select { |each| each.is_a?(ASN1::UTCTime) || each.is_a?(ASN1::GeneralizedTime) }.map(&:value)
        @x509_last_update, @x509_next_update = times
        list = fields.drop(2).find { |each| each.is_a?(ASN1::Sequence) }
        @x509_revoked = list ? list.value.map { |each| Revoked.from_tree(each) } : []
        found = fields.find { |each| each.tag_class == :CONTEXT_SPECIFIC && each.tag == 0 }
        @x509_extensions = found ? found.value[0].value.map { |each| Extension.new(each) } : []
      end
      def add_revoked(revoked) = add(@x509_revoked, revoked)
      def add_extension(extension) = add(@x509_extensions, extension)

      private

      def body_der
        @x509_body ||= begin
          fields = []
          fields << ASN1::Integer(version) if version > 0
          fields << ASN1::Sequence(@x509_algorithm) << ASN1.decode(issuer.to_der) << ASN1::UTCTime(last_update)
          fields << ASN1::UTCTime(next_update) if next_update
          fields << ASN1::Sequence(revoked.map(&:tree)) unless revoked.empty?
          fields << ASN1.context(0, [ASN1::Sequence(extensions.map(&:tree))]) unless extensions.empty?
          ASN1::Sequence(fields).to_der
        end
      end
    end
  end
end

require "openssl/x509/store"
