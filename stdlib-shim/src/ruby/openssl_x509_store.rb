module OpenSSL
  module X509
    V_FLAG_USE_CHECK_TIME = 0x2
    V_FLAG_CRL_CHECK = 0x4
    V_FLAG_CRL_CHECK_ALL = 0x8
    V_FLAG_IGNORE_CRITICAL = 0x10
    V_FLAG_X509_STRICT = 0x20
    V_FLAG_ALLOW_PROXY_CERTS = 0x40
    V_FLAG_POLICY_CHECK = 0x80
    V_FLAG_EXPLICIT_POLICY = 0x100
    V_FLAG_INHIBIT_ANY = 0x200
    V_FLAG_INHIBIT_MAP = 0x400
    V_FLAG_NOTIFY_POLICY = 0x800
    V_FLAG_EXTENDED_CRL_SUPPORT = 0x1000
    V_FLAG_USE_DELTAS = 0x2000
    V_FLAG_CHECK_SS_SIGNATURE = 0x4000
    V_FLAG_TRUSTED_FIRST = 0x8000
    V_FLAG_PARTIAL_CHAIN = 0x80000
    V_FLAG_NO_ALT_CHAINS = 0x100000
    V_FLAG_NO_CHECK_TIME = 0x200000
    PURPOSE_SSL_CLIENT = 1
    PURPOSE_SSL_SERVER = 2
    PURPOSE_NS_SSL_SERVER = 3
    PURPOSE_SMIME_SIGN = 4
    PURPOSE_SMIME_ENCRYPT = 5
    PURPOSE_CRL_SIGN = 6
    PURPOSE_ANY = 7
    PURPOSE_OCSP_HELPER = 8
    PURPOSE_TIMESTAMP_SIGN = 9
    V_ERR_UNSPECIFIED = 1
    V_ERR_UNABLE_TO_GET_ISSUER_CERT = 2
    V_ERR_UNABLE_TO_GET_CRL = 3
    V_ERR_CERT_SIGNATURE_FAILURE = 7
    V_ERR_CRL_SIGNATURE_FAILURE = 8
    V_ERR_CERT_NOT_YET_VALID = 9
    V_ERR_CERT_HAS_EXPIRED = 10
    V_ERR_CRL_NOT_YET_VALID = 11
    V_ERR_CRL_HAS_EXPIRED = 12
    V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT = 18
    V_ERR_SELF_SIGNED_CERT_IN_CHAIN = 19
    V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY = 20
    V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE = 21
    V_ERR_CERT_CHAIN_TOO_LONG = 22
    V_ERR_CERT_REVOKED = 23
    V_ERR_PATH_LENGTH_EXCEEDED = 25
    V_ERR_INVALID_PURPOSE = 26
    V_ERR_CERT_UNTRUSTED = 27
    V_ERR_CERT_REJECTED = 28
    V_ERR_KEYUSAGE_NO_CERTSIGN = 32
    V_ERR_UNHANDLED_CRITICAL_EXTENSION = 34
    V_ERR_HOSTNAME_MISMATCH = 62
    V_ERR_IP_ADDRESS_MISMATCH = 64
    V_ERR_EE_KEY_TOO_SMALL = 66
    V_ERR_CA_KEY_TOO_SMALL = 67
    V_ERR_CA_MD_TOO_WEAK = 68
    V_ERR_INVALID_CA = 79

    # Answers of a check of a chain, asked of a callback one after another. The check has gone on as if all were accepted; the first refusal counts.
    module Steps
      module_function

      # Error number and text of the outcome, and the chain.
      def judge(steps, callback)
        state = nil
        steps.each do |passed, error, text, depth, certificate, chain|
          state = StoreContext.at(error, text, depth, certificate, chain)
          next if accepted?(callback, passed, state)
          error = state.error
          return error == V_OK ? [V_ERR_CERT_REJECTED, "certificate rejected", chain] : [error, state.error_string, chain]
        end
        [V_OK, "ok", state&.chain_der || []]
      end

      def accepted?(callback, passed, state)
        !!callback.call(passed, state)
      rescue StandardError
        warn "exception in verify_callback is ignored", uplevel: 1
        false
      end
    end
    private_constant :Steps

    # Certificates that are trusted, revocation lists, and how chains are checked against them.
    class Store
      BUNDLES = %w(/etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem).freeze
      private_constant :BUNDLES
      attr_accessor :verify_callback
      attr_reader :error, :error_string, :chain
      attr_writer :flags, :purpose, :trust, :time

      def initialize
        @certificates, @lists, @flags = [], [], 0
        @error, @error_string = V_OK, "ok"
      end
      def add_cert(certificate)
        raise TypeError, "wrong argument type #{certificate.class} (expected OpenSSL/X509)" unless certificate.is_a?(Certificate)
        @certificates << certificate.to_der
        self
      end
      def add_crl(list)
        raise TypeError, "wrong argument type #{list.class} (expected OpenSSL/X509/CRL)" unless list.is_a?(CRL)
        @lists << list.to_der
        self
      end
      def add_file(path)
        taken = take_pem(File.binread(path))
        raise StoreError, "X509_LOOKUP_load_file: no certificate or crl found" if taken == 0
        self
      rescue SystemCallError
        raise StoreError, "X509_LOOKUP_load_file: system lib"
      end
      # What in the folder can be read as certificates or revocation lists.
      def add_path(path)
        Dir.children(path).sort.each do |name|
          file = File.join(path, name)
          take_pem(File.binread(file)) if File.file?(file) && File.readable?(file)
        end
        self
      rescue SystemCallError
        self
      end
      # The machine's own bundle, or what SSL_CERT_FILE and SSL_CERT_DIR name in its place.
      def set_default_paths
        file = ENV[DEFAULT_CERT_FILE_ENV] || BUNDLES.find { |path| File.exist?(path) }
        take_pem(File.binread(file)) if file && File.file?(file)
        folder = ENV[DEFAULT_CERT_DIR_ENV]
        add_path(folder) if folder && File.directory?(folder)
        nil
      end

      def verify(certificate, others = nil, &block)
        context = StoreContext.new(self, certificate, others || [])
        context.__send__(:callback=, block || verify_callback)
        passed = context.verify
        @error, @error_string, @chain = context.error, context.error_string, context.chain
        passed
      end

      # What the native check takes.
      def settings = [@certificates.uniq, @lists, @flags, @purpose, @time&.to_i]
      protected :settings

      private

      def take_pem(text)
        PEM.decode(text).count do |label, _, der|
          case label
          # one that cannot be read does not spoil the bundle
          when "CERTIFICATE", "X509 CERTIFICATE" then Native.form?(Certificate::LABEL, der) && @certificates << der
          when "X509 CRL" then Native.form?(CRL::LABEL, der) && @lists << der
          end
        end
      end
    end

    # One check of a chain: what is asked, and where the check stands.
    class StoreContext
      attr_reader :error, :error_depth
      attr_writer :flags, :purpose, :trust, :time, :callback
      private :callback=

      def self.at(error, text, depth, certificate, chain)
        allocate.tap { |made| made.__send__(:stand, error, text, depth, certificate, chain) }
      end

      def initialize(store, certificate = nil, others = nil)
        @store, @certificate, @others = store, certificate, others.to_a
        @callback = store.verify_callback
        @error, @text, @error_depth, @chain = V_OK, "ok", 0, nil
      end

      def verify
        certificates, lists, flags, purpose, time = @store.__send__(:settings)
        trust = [certificates, lists, flags | (@flags || 0), @purpose || purpose, @time&.to_i || time]
        steps = Native.verify_chain(trust, @certificate.to_der, @others.map(&:to_der), !@callback.nil?)
        if @callback
          error, text, chain = Steps.judge(steps, @callback)
          stand(error, text, 0, @certificate.to_der, chain)
        else
          _, *found = steps[0]
          stand(*found)
        end
        @error == V_OK
      end

      def error=(number)
        @text = "error number #{number}" unless number == @error
        @error = number
      end
      def error_string = @text
      def current_cert = @current && Certificate.new(@current)
      def current_crl = nil
      def chain = @chain&.map { |der| Certificate.new(der) }
      def chain_der = @chain
      def cleanup = nil

      private

      def stand(error, text, depth, certificate, chain)
        @error, @text, @error_depth, @current, @chain = error, text, depth, certificate, chain
      end
    end
  end
end
