module OpenSSL
  module X509
    # What extensions of a certificate or a revocation list say.
    class Extension
      module Helpers
        def find_extension(oid) = extensions.find { |each| each.oid == oid }

        private

        # What an extension says; nil if there is none.
        def told_by(oid, tag)
          found = find_extension(oid) or return nil
          ASN1.decode(found.value_der).tap { |value| raise ASN1::ASN1Error, "invalid extension" unless value.tag == tag }
        end
      end

      module SubjectKeyIdentifier
        include Helpers

        def subject_key_identifier = told_by("subjectKeyIdentifier", ASN1::OCTET_STRING)&.value
      end

      module AuthorityKeyIdentifier
        include Helpers

        def authority_key_identifier
          parts = told_by("authorityKeyIdentifier", ASN1::SEQUENCE)&.value
          parts&.find { |each| each.tag_class == :CONTEXT_SPECIFIC && each.tag == 0 }&.value
        end
      end

      # Where lists of revoked certificates are.
      module CRLDistributionPoints
        include Helpers

        def crl_uris
          points = told_by("crlDistributionPoints", ASN1::SEQUENCE) or return nil
          uris = points.value.flat_map do |point|
            names = point.value.find { |each| each.tag == 0 }&.value&.find { |each| each.tag == 0 }
            names ? names.value.select { |name| name.tag == 6 }.map(&:value) : []
          end
          uris.empty? ? nil : uris
        end
      end

      # Where the issuer's certificate is, and who tells whether a certificate is revoked.
      module AuthorityInfoAccess
        include Helpers

        def ca_issuer_uris = access_uris("1.3.6.1.5.5.7.48.2")
        def ocsp_uris = access_uris("1.3.6.1.5.5.7.48.1")

        private

        def access_uris(method)
          descriptions = told_by("authorityInfoAccess", ASN1::SEQUENCE) or return nil
          uris = descriptions.value.filter_map { |each| each.value[1].value if each.value[0].oid == method && each.value[1].tag == 6 }
          uris.empty? ? nil : uris
        end
      end
    end
  end
end
