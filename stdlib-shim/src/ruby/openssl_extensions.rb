module OpenSSL
  module X509
    # What extensions of a certificate or a revocation list say.
    class Extension
      module Helpers
        def find_extension(oid) = extensions.find { |each| each.oid == oid }
      end

      module SubjectKeyIdentifier
        include Helpers

        def subject_key_identifier
          found = find_extension("subjectKeyIdentifier") or return nil
          value = ASN1.decode(found.value_der)
          raise ASN1::ASN1Error, "invalid extension" unless value.tag == ASN1::OCTET_STRING
          value.value
        end
      end

      module AuthorityKeyIdentifier
        include Helpers

        def authority_key_identifier
          found = find_extension("authorityKeyIdentifier") or return nil
          value = ASN1.decode(found.value_der)
          raise ASN1::ASN1Error, "invalid extension" unless value.tag == ASN1::SEQUENCE
          value.value.find { |each| each.tag_class == :CONTEXT_SPECIFIC && each.tag == 0 }&.value
        end
      end

      # Where lists of revoked certificates are.
      module CRLDistributionPoints
        include Helpers

        def crl_uris
          found = find_extension("crlDistributionPoints") or return nil
          points = ASN1.decode(found.value_der)
          raise ASN1::ASN1Error, "invalid extension" unless points.tag == ASN1::SEQUENCE
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
          found = find_extension("authorityInfoAccess") or return nil
          descriptions = ASN1.decode(found.value_der)
          raise ASN1::ASN1Error, "invalid extension" unless descriptions.tag == ASN1::SEQUENCE
          uris = descriptions.value.filter_map { |each| each.value[1].value if each.value[0].oid == method && each.value[1].tag == 6 }
          uris.empty? ? nil : uris
        end
      end
    end
  end
end
