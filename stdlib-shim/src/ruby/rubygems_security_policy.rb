# What is asked of the signatures of a gem, and of the certificates that they come with.
require "rubygems/security"
require "rubygems/user_interaction"

module Gem
  module Security
    class Policy
      include UserInteraction

      RULES = %i[verify_data verify_signer verify_chain verify_root only_trusted only_signed].freeze
      private_constant :RULES
      attr_reader :name
      attr_accessor(*RULES)
      alias to_s name

      # All rules hold that are not switched off.
      def initialize(name, policy = {}, opt = {})
        @name, @opt = name, opt
        RULES.each { |rule| instance_variable_set(:"@#{rule}", policy.fetch(rule, true)) }
      end

      # Each certificate of a chain is signed by the one before it, and valid now.
      def check_chain(chain, time)
        raise Exception, "missing signing chain" unless chain
        raise Exception, "empty signing chain" if chain.empty?
        begin
          chain.each_cons(2) { |issuer, certificate| check_cert(certificate, issuer, time) }
        rescue Exception => error
          raise Exception, "invalid signing chain: #{error.message}"
        end
        true
      end

      def check_cert(signer, issuer, time)
        raise Exception, "missing signing certificate" unless signer
        subject = "certificate #{signer.subject}"
        raise Exception, "#{subject} not valid before #{signer.not_before}" if signer.not_before && signer.not_before > time
        raise Exception, "#{subject} not valid after #{signer.not_after}" if signer.not_after && signer.not_after < time
        raise Exception, "#{subject} was not issued by #{issuer.subject}" if issuer && !signer.verify(issuer.public_key)
        true
      end

      def check_key(signer, key)
        unless signer && key
          raise Exception, "missing key or signature" if @only_signed
          return true
        end
        raise Exception, "certificate #{signer.subject} does not match the signing key" unless signer.check_private_key(key)
        true
      end

      def check_root(chain, time)
        root = root_of(chain)
        raise Exception, "root certificate #{root.subject} is not self-signed (issuer #{root.issuer})" if root.issuer != root.subject
        check_cert(root, root, time)
      end

      # The root is one that the user trusts, by its name and by its key.
      def check_trust(chain, digester, _trust_dir)
        root = root_of(chain)
        path = Security.trust_dir.cert_path(root)
        unless File.exist?(path)
          raise Exception, "root cert #{root.subject} is not trusted#{" (root of signing cert #{chain.last.subject})" if chain.length > 1}"
        end
        known, shown = [OpenSSL::X509::Certificate.new(File.read(path)), root].map { |each| digester.digest(each.public_key.to_pem) }
        raise Exception, "trusted root certificate #{root.subject} checksum does not match signing root certificate checksum" unless known == shown
        true
      end

      def check_data(public_key, digest, signature, data) = public_key.verify(digest, signature, data.digest) || raise(Exception, "invalid signature")

      def subject(certificate) = Security.extension(certificate, "subjectAltName") || certificate.subject.to_s

      # `digests`: by the algorithm, then by the file; `signatures`: by the file.
      def verify(chain, key = nil, digests = {}, signatures = {}, full_name = "(unknown)")
        if signatures.empty?
          raise Exception, "unsigned gems are not allowed by the #{name} policy" if @only_signed
          return alert_warning("#{full_name} is not signed") unless digests.empty?
        end
        digests_here = digests_to_check(digests)
        verify_certificates(chain, key)
        if @only_trusted
          check_trust(chain, Security.create_digest, @opt[:trust_dir])
        elsif !(signatures.empty? && digests.empty?)
          alert_warning("#{subject(chain.last)} is not trusted for #{full_name}")
        end
        signatures.each_key { |file| digests_here[file] or raise Exception, "missing digest for #{file}" }
        digests_here.each do |file, digest|
          signature = signatures[file] or raise Exception, "missing signature for #{file}"
          check_data(chain.last.public_key, Security.create_digest, signature, digest) if @verify_data
        end
        true
      end

      def verify_signatures(spec, digests, signatures)
        chain = spec.cert_chain.map { |pem| OpenSSL::X509::Certificate.new(pem) }
        verify(chain, nil, digests, signatures, spec.full_name)
        true
      end

      # The words do not stand before the rules of their names: RubyGems has them so.
      def inspect
        words = { data: @verify_chain, signer: @verify_data, chain: @verify_root, root: @verify_signer, "signed-only": @only_signed, "trusted-only": @only_trusted }
        "[Policy: #{@name} - #{words.map { |word, value| "#{word}: #{value.inspect}" }.join(" ")}]"
      end

      private

      def root_of(chain)
        raise Exception, "missing signing chain" unless chain
        chain.first or raise Exception, "missing root certificate"
      end

      def digests_to_check(digests)
        return {} unless @verify_data
        found = digests.each_value.find { |files| files.values.first.name == DIGEST_NAME }
        raise Exception, "no digests provided (probable bug)" if found.nil? || found.empty?
        found
      end

      def verify_certificates(chain, key)
        time = Time.now
        check_key(chain.last, key) if key
        check_cert(chain.last, nil, time) if @verify_signer
        check_chain(chain, time) if @verify_chain
        check_root(chain, time) if @verify_root
      end
    end

    rules = Policy.const_get(:RULES)
    make = ->(name, *kept) { Policy.new(name, rules.to_h { |rule| [rule, kept.include?(rule)] }) }
    NoSecurity = make["No Security"]
    AlmostNoSecurity = make["Almost No Security", :verify_data]
    LowSecurity = make["Low Security", :verify_data, :verify_signer]
    MediumSecurity = make["Medium Security", *rules - %i[only_signed]]
    HighSecurity = make["High Security", *rules]
    # What a signer is checked by before it signs.
    SigningPolicy = make["Signing Policy", :verify_signer, :verify_chain, :verify_root]
    # Those that can be chosen by name.
    Policies = %w[No AlmostNo Low Medium High].to_h { |word| ["#{word}Security", const_get("#{word}Security")] }.freeze
  end
end
