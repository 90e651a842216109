//! Constants and methods that load their library when first used.

use rchef_ruby::embed::class::Constant;
use rchef_ruby::embed::method::Arity;
use rchef_ruby::{Args, ClassId, MethodDef, Res, Symbol, Value, Vm, any};
use std::rc::Rc;

/// Constants that MRI has without `require`, or that Chef relies on.
static CORE: &[(&str, &str)] = &[
    ("Gem", "rubygems"),
    ("RbConfig", "rbconfig"),
    ("Monitor", "monitor"),
    ("MonitorMixin", "monitor"),
    ("DidYouMean", "did_you_mean"),
    ("ErrorHighlight", "error_highlight"),
    ("Ractor", "ractor"),
];

/// Constants that exist in a run of Chef because Chef has required their libraries.
static CHEF: &[(&str, &str)] = &[
    ("Psych", "yaml"),
    ("FFI", "ffi"),
    ("YAML", "yaml"),
    ("Set", "set"),
    ("SortedSet", "set"),
    ("FileUtils", "fileutils"),
    ("Tempfile", "tempfile"),
    ("URI", "uri"),
    ("Digest", "digest"),
    ("Net", "net/http"),
    ("OpenSSL", "openssl"),
    ("SecureRandom", "securerandom"),
    ("Timeout", "timeout"),
    ("Pathname", "pathname"),
    ("Etc", "etc"),
    ("Socket", "socket"),
    ("TCPSocket", "socket"),
    ("UDPSocket", "socket"),
    ("TCPServer", "socket"),
    ("UNIXSocket", "socket"),
    ("SocketError", "socket"),
    ("BasicSocket", "socket"),
    ("Addrinfo", "socket"),
    ("IPAddr", "ipaddr"),
    ("Date", "date"),
    ("DateTime", "date"),
    ("ERB", "erb"),
    ("StringIO", "stringio"),
    ("StringScanner", "strscan"),
    ("Shellwords", "shellwords"),
    ("Base64", "base64"),
    ("Open3", "open3"),
    ("OpenStruct", "ostruct"),
    ("Logger", "logger"),
    ("Benchmark", "benchmark"),
    ("Forwardable", "forwardable"),
    ("SingleForwardable", "forwardable"),
    ("Singleton", "singleton"),
    ("Delegator", "delegate"),
    ("SimpleDelegator", "delegate"),
    ("Observable", "observer"),
    ("PP", "pp"),
    ("Find", "find"),
    ("Resolv", "resolv"),
    ("CSV", "csv"),
    ("OptionParser", "optparse"),
    ("BigDecimal", "bigdecimal"),
    ("TSort", "tsort"),
    ("WeakRef", "weakref"),
    ("Zlib", "zlib"),
    ("CGI", "cgi"),
    ("OpenURI", "open-uri"),
    ("Erubis", "erubis"),
    ("PrettyPrint", "prettyprint"),
    ("REXML", "rexml/document"),
];

/// Constants of Net; the module itself exists before its library is loaded, for the exceptions of Chef's HTTP.
static NET_HTTP: &str = "HTTP HTTPAccepted HTTPAlreadyReported HTTPBadGateway HTTPBadRequest HTTPBadResponse HTTPClientError HTTPClientErrorCode \
    HTTPClientException HTTPConflict HTTPContinue HTTPCreated HTTPEarlyHints HTTPError HTTPExceptions HTTPExpectationFailed \
    HTTPFailedDependency HTTPFatalError HTTPFatalErrorCode HTTPForbidden HTTPFound HTTPGatewayTimeOut HTTPGatewayTimeout \
    HTTPGenericRequest HTTPGone HTTPHeader HTTPHeaderSyntaxError HTTPIMUsed HTTPInformation HTTPInformationCode \
    HTTPInsufficientStorage HTTPInternalServerError HTTPLengthRequired HTTPLocked HTTPLoopDetected HTTPMethodNotAllowed \
    HTTPMisdirectedRequest HTTPMovedPermanently HTTPMovedTemporarily HTTPMultiStatus HTTPMultipleChoice HTTPMultipleChoices \
    HTTPNetworkAuthenticationRequired HTTPNoContent HTTPNonAuthoritativeInformation HTTPNotAcceptable HTTPNotExtended HTTPNotFound \
    HTTPNotImplemented HTTPNotModified HTTPOK HTTPPartialContent HTTPPayloadTooLarge HTTPPaymentRequired HTTPPermanentRedirect \
    HTTPPreconditionFailed HTTPPreconditionRequired HTTPProcessing HTTPProxyAuthenticationRequired HTTPRangeNotSatisfiable \
    HTTPRedirection HTTPRedirectionCode HTTPRequest HTTPRequestEntityTooLarge HTTPRequestHeaderFieldsTooLarge HTTPRequestTimeOut \
    HTTPRequestTimeout HTTPRequestURITooLarge HTTPRequestURITooLong HTTPRequestedRangeNotSatisfiable HTTPResetContent HTTPResponse \
    HTTPRetriableError HTTPSeeOther HTTPServerError HTTPServerErrorCode HTTPServerException HTTPServiceUnavailable HTTPSession \
    HTTPSuccess HTTPSuccessCode HTTPSwitchProtocol HTTPTemporaryRedirect HTTPTooManyRequests HTTPURITooLong HTTPUnauthorized \
    HTTPUnavailableForLegalReasons HTTPUnknownResponse HTTPUnprocessableEntity HTTPUnsupportedMediaType HTTPUpgradeRequired \
    HTTPUseProxy HTTPVariantAlsoNegotiates HTTPVersionNotSupported";
/// The same for the library that Net::HTTP is based on.
static NET_PROTOCOL: &str = "BufferedIO InternetMessageIO NetPrivate OpenTimeout ProtoAuthError ProtoCommandError ProtoFatalError \
    ProtoRetriableError ProtoServerError ProtoSyntaxError ProtoUnknownError ProtocRetryError Protocol ProtocolError ReadAdapter ReadTimeout \
    WriteAdapter WriteTimeout";

/// Methods that a library adds to core classes: the first call loads the library.
static METHODS: &[(ClassId, bool, &str, &str)] = &[
    (ClassId::OBJECT, false, "to_yaml", "yaml"),
    (ClassId::OBJECT, false, "pretty_inspect", "pp"),
    (ClassId::ENUMERABLE, false, "to_set", "set"),
    (ClassId::STRING, false, "shellescape", "shellwords"),
    (ClassId::STRING, false, "shellsplit", "shellwords"),
    (ClassId::ARRAY, false, "shelljoin", "shellwords"),
    (ClassId::TIME, true, "parse", "time"),
    (ClassId::TIME, true, "iso8601", "time"),
    (ClassId::TIME, true, "strptime", "time"),
    (ClassId::TIME, true, "httpdate", "time"),
    (ClassId::TIME, true, "rfc2822", "time"),
    (ClassId::TIME, false, "iso8601", "time"),
    (ClassId::TIME, false, "xmlschema", "time"),
    (ClassId::TIME, false, "httpdate", "time"),
    (ClassId::TIME, false, "rfc2822", "time"),
    (ClassId::TIME, false, "to_date", "date"),
    (ClassId::DIR, true, "mktmpdir", "tmpdir"),
    (ClassId::DIR, true, "tmpdir", "tmpdir"),
];

fn constant(vm: &mut Vm, owner: ClassId, name: &'static str, feature: &'static str) {
    let name = Symbol::intern_static(name);
    if vm.const_own(owner, name).is_none() && vm.libraries.contains(feature) {
        let constant = Constant {
            value: Value::Undef,
            private: false,
            deprecated: false,
            autoload: Some(feature.into()),
            location: None,
        };
        vm.class_mut(owner).consts.insert(name, constant);
    }
}

/// `Kernel#pp`: loads its library at the first call.
fn pp(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    rchef_ruby::embed::load::require(vm, "pp")?;
    vm.call_args(this, Symbol::intern_static("pp"), args)
}
static PP: &[MethodDef] = &[any("pp", pp).private()];

/// Defines what every program can use without `require`.
pub(crate) fn core(vm: &mut Vm) {
    if vm.libraries.contains("pp") {
        vm.define_methods(ClassId::KERNEL, PP);
    }
    for (name, feature) in CORE {
        constant(vm, ClassId::OBJECT, name, feature);
    }
    let owner = vm.define_class(ClassId::OBJECT, "RubyVM", ClassId::OBJECT);
    constant(vm, owner, "InstructionSequence", "rubyvm/instruction_sequence");
}

/// Defines what Ruby code can use without `require` in a run of Chef: constants that load their library when first used, and the methods that these
/// libraries add to core classes.
pub fn autoload_for_chef(vm: &mut Vm) -> Res<()> {
    for (name, feature) in CHEF {
        constant(vm, ClassId::OBJECT, name, feature);
    }
    let net = vm.define_module(ClassId::OBJECT, "Net");
    for (names, feature) in [(NET_HTTP, "net/http"), (NET_PROTOCOL, "net/protocol")] {
        for name in names.split_ascii_whitespace() {
            constant(vm, net, name, feature);
        }
    }
    for feature in ["json", "mixlib/shellout", "English"] {
        rchef_ruby::embed::load::require(vm, feature)?;
    }
    for (class, singleton, name, feature) in METHODS {
        if !vm.libraries.contains(feature) {
            continue;
        }
        let owner = if *singleton { vm.meta(*class) } else { *class };
        let symbol = Symbol::intern_static(name);
        if vm.find_method(owner, symbol).is_some() {
            continue;
        }
        let closure = move |vm: &mut Vm, this: &Value, args: rchef_ruby::Args<'_>| {
            let before = vm.find_method(vm.class_of(this), symbol);
            rchef_ruby::embed::load::require(vm, feature)?;
            if vm.find_method(vm.class_of(this), symbol) == before {
                return Err(
                    vm.not_implemented(format!("{symbol}: {feature} does not define it", symbol = symbol.as_str()))
                );
            }
            vm.call_args(this, symbol, args)
        };
        vm.define_closure(owner, symbol, Arity::ANY, Rc::new(closure));
    }
    Ok(())
}
