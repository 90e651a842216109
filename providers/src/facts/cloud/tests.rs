//! Tests of the cloud plugins against local servers.

#![allow(clippy::disallowed_methods)] // the tests start their own server

use super::super::tests::{connected, machine};
use super::*;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex};

fn map(value: Json) -> Facts {
    match value {
        Json::Object(map) => map,
        _ => Facts::new(),
    }
}

fn cloud(files: &[(&str, &str)], before: Json) -> Facts {
    let mut facts = map(before);
    collect(&machine(files, "web1"), &Choice::default(), &mut facts);
    facts
}

/// A path, the body of the answer, and a header without which the request is refused.
type Page = (&'static str, &'static str, Option<&'static str>);

/// Collects on a machine whose metadata services answer with these pages; gives the facts and the paths that were requested.
fn served(files: &[(&str, &str)], before: Json, pages: &'static [Page]) -> (Facts, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let played = listener.local_addr().unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = asked.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            // a connection that only tests whether the service can be reached
            let Some(Ok(first)) = lines.next() else { continue };
            let headers: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
            let (method, rest) = first.split_once(' ').unwrap();
            let path = rest.rsplit_once(' ').unwrap().0;
            noted.lock().unwrap().push(format!("{method} {path}"));
            let known = if method == "PUT" { format!("PUT {path}") } else { path.to_string() };
            let (status, body) = match pages.iter().find(|(page, ..)| *page == known) {
                Some((_, _, Some(needed))) if !headers.iter().any(|header| header == needed) => {
                    ("401 Unauthorized", "")
                }
                Some((_, body, _)) if body.starts_with("400 ") => ("400 Bad Request", &body[4..]),
                Some((_, body, _)) => ("200 OK", *body),
                None => ("404 Not Found", ""),
            };
            let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        }
    });
    let routes = ["169.254.169.254:80", "100.100.100.200:80", "169.254.42.42:80"];
    let routes = routes.iter().map(|from| (from.parse::<SocketAddr>().unwrap(), played)).collect();
    let mut facts = map(before);
    collect(&connected(files, "web1", routes), &Choice::default(), &mut facts);
    let asked = asked.lock().unwrap().clone();
    (facts, asked)
}

#[test]
fn by_firmware_and_by_hint() {
    assert_eq!(cloud(&[], json!({})).get("cloud"), Some(&Json::Null));
    let amazon = cloud(&[], json!({ "dmi": { "bios": { "vendor": "Amazon EC2" } } }));
    assert_eq!((&amazon["ec2"], &amazon["cloud"]), (&json!({}), &json!({ "provider": "ec2" })));
    let hinted = cloud(&[("/etc/chef/ohai/hints/azure.json", r#"{"public_ip":"192.0.2.9"}"#)], json!({}));
    assert_eq!(
        hinted["cloud"],
        json!({ "public_ipv4_addrs": ["192.0.2.9"], "public_ipv4": "192.0.2.9", "provider": "azure" })
    );
    assert!(hinted.get("ec2").is_none());
}

#[test]
fn a_machine_of_no_cloud_asks_nobody() {
    let (facts, asked) =
        served(&[("/proc/cmdline", "quiet\n")], json!({ "dmi": { "bios": { "vendor": "SeaBIOS" } } }), &[]);
    assert_eq!((facts.len(), asked), (2, Vec::new()));
    assert_eq!(facts["cloud"], Json::Null);
}

const TOKEN: Option<&str> = Some("X-aws-ec2-metadata-token: t0ken");
const EC2: &[Page] = &[
    ("PUT /latest/api/token", "t0ken", Some("X-aws-ec2-metadata-token-ttl-seconds: 60")),
    ("/", "1.0\n2021-07-15\n2099-01-01\nlatest", TOKEN),
    (
        "/2021-07-15/meta-data/",
        "ami-id\nlocal-ipv4\npublic-ipv4\nlocal-hostname\npublic-hostname\nsecurity-groups\nplacement/\npublic-keys/\nnetwork/\niam/\nidentity-credentials/\ngone",
        TOKEN,
    ),
    ("/2021-07-15/meta-data/ami-id", "ami-1", TOKEN),
    ("/2021-07-15/meta-data/local-ipv4", "10.0.0.4", TOKEN),
    ("/2021-07-15/meta-data/public-ipv4", "192.0.2.4", TOKEN),
    ("/2021-07-15/meta-data/local-hostname", "ip-10-0-0-4.internal", TOKEN),
    ("/2021-07-15/meta-data/public-hostname", "ec2-192-0-2-4.example.com", TOKEN),
    ("/2021-07-15/meta-data/security-groups", "web\nssh", TOKEN),
    ("/2021-07-15/meta-data/placement/", "availability-zone", TOKEN),
    ("/2021-07-15/meta-data/placement/availability-zone", "eu-1a", TOKEN),
    ("/2021-07-15/meta-data/public-keys/", "0=my-key", TOKEN),
    ("/2021-07-15/meta-data/public-keys/0/", "openssh-key", TOKEN),
    ("/2021-07-15/meta-data/public-keys/0/openssh-key", "ssh-rsa AAAA", TOKEN),
    ("/2021-07-15/meta-data/network/", "interfaces/", TOKEN),
    ("/2021-07-15/meta-data/network/interfaces/", "macs/", TOKEN),
    ("/2021-07-15/meta-data/network/interfaces/macs/", "02:00:00:00:00:01/", TOKEN),
    ("/2021-07-15/meta-data/network/interfaces/macs/02:00:00:00:00:01/", "vpc-id", TOKEN),
    ("/2021-07-15/meta-data/network/interfaces/macs/02:00:00:00:00:01/vpc-id", "vpc-7", TOKEN),
    ("/2021-07-15/meta-data/iam/", "info\nsecurity-credentials/", TOKEN),
    ("/2021-07-15/meta-data/iam/info", r#"{"Code":"Success"}"#, TOKEN),
    ("/2021-07-15/meta-data/iam/security-credentials/", "web-role", TOKEN),
    ("/2021-07-15/meta-data/iam/security-credentials/web-role", r#"{"SecretAccessKey":"s3cret"}"#, TOKEN),
    ("/2021-07-15/meta-data/identity-credentials/", "ec2/", TOKEN),
    ("/2021-07-15/meta-data/identity-credentials/ec2/", "security-credentials/", TOKEN),
    ("/2021-07-15/meta-data/identity-credentials/ec2/security-credentials/", "ec2-instance", TOKEN),
    (
        "/2021-07-15/meta-data/identity-credentials/ec2/security-credentials/ec2-instance",
        r#"{"SecretAccessKey":"s3cret"}"#,
        TOKEN,
    ),
    ("/2021-07-15/user-data/", "#!/bin/sh\necho \u{fc}\n", TOKEN),
    (
        "/2021-07-15/dynamic/instance-identity/document/",
        r#"{"accountId":"12","availabilityZone":"eu-1a","region":"eu-1"}"#,
        TOKEN,
    ),
];

#[test]
fn ec2_with_a_token() {
    let dmi = json!({ "dmi": { "bios": { "vendor": "Amazon EC2" } } });
    let (facts, asked) = served(&[], dmi.clone(), EC2);
    let expected = json!({
        "ami_id": "ami-1", "local_ipv4": "10.0.0.4", "public_ipv4": "192.0.2.4",
        "local_hostname": "ip-10-0-0-4.internal", "public_hostname": "ec2-192-0-2-4.example.com",
        "security_groups": ["web", "ssh"], "placement_availability_zone": "eu-1a", "public_keys_0_openssh_key": "ssh-rsa AAAA",
        "network_interfaces_macs": { "02:00:00:00:00:01": { "vpc_id": "vpc-7" } },
        "iam": { "info": { "Code": "Success" }, "role_name": "web-role" }, "gone": null,
        "userdata": "IyEvYmluL3NoCmVjaG8gw7wK\n", "account_id": "12", "availability_zone": "eu-1a", "region": "eu-1",
    });
    assert_eq!(facts["ec2"], expected);
    let summary = json!({
        "public_ipv4_addrs": ["192.0.2.4"], "public_ipv4": "192.0.2.4", "local_ipv4_addrs": ["10.0.0.4"], "local_ipv4": "10.0.0.4",
        "provider": "ec2", "public_hostname": "ec2-192-0-2-4.example.com", "local_hostname": "ip-10-0-0-4.internal",
    });
    assert_eq!(facts["cloud"], summary);
    assert!(!asked.iter().any(|path| path.ends_with("web-role") || path.ends_with("ec2-instance")), "{asked:?}");
    // with the hint `iam`, the role's credentials are collected
    let (facts, _) = served(&[("/etc/chef/ohai/hints/iam.json", "")], dmi, EC2);
    assert_eq!(
        facts["ec2"]["iam"],
        json!({ "info": { "Code": "Success" }, "security-credentials": { "web_role": { "SecretAccessKey": "s3cret" } } })
    );
}

#[test]
fn ec2_without_tokens_and_openstack() {
    const FIRST: &[Page] = &[
        ("/", "1.0\n2009-04-04\nlatest", None),
        ("/2009-04-04/meta-data/", "hostname\nramdisk-id\nlocal-ipv4", None),
        ("/2009-04-04/meta-data/hostname", "web1", None),
        ("/2009-04-04/meta-data/ramdisk-id", "", None),
        ("/2009-04-04/meta-data/local-ipv4", "10.0.0.5", None),
    ];
    let (facts, asked) = served(&[("/sys/hypervisor/uuid", "ec2f00d\n")], json!({}), FIRST);
    let nothing = Json::Null;
    assert_eq!(
        facts["ec2"],
        json!({ "hostname": "web1", "ramdisk_id": "", "local_ipv4": "10.0.0.5", "userdata": nothing, "account_id": nothing, "availability_zone": nothing, "region": nothing })
    );
    assert_eq!(asked[..2], ["PUT /latest/api/token", "GET /"]);
    let guest = json!({ "virtualization": { "systems": { "openstack": "guest" } } });
    let (facts, _) = served(&[("/etc/passwd", "dhc-user:x:1000:1000::/:/bin/sh\n")], guest.clone(), FIRST);
    assert_eq!(facts["openstack"], json!({ "provider": "dreamhost", "hostname": "web1", "local_ipv4": "10.0.0.5" }));
    assert_eq!(
        facts["cloud"],
        json!({ "local_ipv4_addrs": ["10.0.0.5"], "local_ipv4": "10.0.0.5", "provider": "dreamhost" })
    );
    // no service answers
    assert_eq!(cloud(&[], guest)["openstack"], json!({ "provider": "openstack" }));
}

#[test]
fn azure_and_digital_ocean() {
    const AZURE: &[Page] = &[
        (
            "/metadata/instance",
            r#"400 {"error":"Bad request","newest-versions":["2099-01-01","2021-12-13","2021-11-15"]}"#,
            Some("Metadata: true"),
        ),
        (
            "/metadata/instance?api-version=2021-12-13",
            r#"{"compute":{"vmSize":"B1"},"network":{"interface":[{"macAddress":"000D3A","ipv4":{"ipAddress":[{"privateIpAddress":"10.1.0.4","publicIpAddress":"192.0.2.7"}]},"ipv6":{"ipAddress":[]}}]}}"#,
            Some("Metadata: true"),
        ),
    ];
    let (facts, _) = served(&[("/usr/sbin/waagent", "")], json!({}), AZURE);
    let addresses =
        json!({ "public_ipv4": ["192.0.2.7"], "local_ipv4": ["10.1.0.4"], "public_ipv6": [], "local_ipv6": [] });
    let mut interface = addresses.clone();
    interface["mac"] = json!("000D3A");
    let mut network = addresses;
    network["interfaces"] = json!({ "000D3A": interface });
    assert_eq!(facts["azure"], json!({ "metadata": { "compute": { "vmSize": "B1" }, "network": network } }));
    assert_eq!((&facts["cloud"]["provider"], &facts["cloud"]["local_ipv4"]), (&json!("azure"), &json!("10.1.0.4")));

    const OCEAN: &[Page] = &[(
        "/metadata/v1.json",
        r#"{"droplet_id":7,"vendor_data":"secret","interfaces":{"public":[{"ipv4":{"ip_address":"192.0.2.8"},"ipv6":{"ip_address":"2001:DB8::8"}}]}}"#,
        None,
    )];
    let dmi = json!({ "dmi": { "bios": { "vendor": "DigitalOcean" } } });
    let (facts, _) = served(&[], dmi.clone(), OCEAN);
    assert_eq!(
        (&facts["digital_ocean"]["droplet_id"], &facts["digital_ocean"]["vendor_data"]),
        (&json!(7), &Json::Null)
    );
    assert_eq!(
        facts["cloud"],
        json!({
            "public_ipv4_addrs": ["192.0.2.8"], "public_ipv4": "192.0.2.8", "public_ipv6_addrs": ["2001:db8::8"],
            "public_ipv6": "2001:db8::8", "provider": "digital_ocean",
        })
    );
    // the firmware alone is not enough
    assert!(cloud(&[], dmi).get("digital_ocean").is_none());
}

#[test]
fn google_oracle_alibaba_and_others() {
    let mut facts = Summary::default();
    let known = json!({ "instance": { "hostname": "web1.c.example", "networkInterfaces": [{ "ip": "10.2.0.2", "accessConfigs": [{ "externalIp": "" }, { "externalIp": "192.0.2.3" }] }] } });
    assert!(of_gce(&known, &mut facts).is_some());
    let expected = json!({ "public_ipv4_addrs": ["192.0.2.3"], "public_ipv4": "192.0.2.3", "local_ipv4_addrs": ["10.2.0.2"], "local_ipv4": "10.2.0.2", "provider": "gce", "local_hostname": "web1.c.example" });
    assert_eq!(facts.facts(), expected);

    const ORACLE: &[Page] = &[
        ("/opc/v2/instance", r#"{"hostname":"web1"}"#, Some("Authorization: Bearer Oracle")),
        ("/opc/v2/vnics", r#"[{"privateIp":"10.3.0.2"}]"#, Some("Authorization: Bearer Oracle")),
    ];
    let (facts, _) =
        served(&[("/sys/devices/virtual/dmi/id/chassis_asset_tag", "OracleCloud.com\n")], json!({}), ORACLE);
    assert_eq!(
        facts["oci"],
        json!({ "metadata": { "compute": { "hostname": "web1" }, "network": { "interface": [{ "privateIp": "10.3.0.2" }] } } })
    );
    assert_eq!(
        facts["cloud"],
        json!({ "local_ipv4_addrs": ["10.3.0.2"], "local_ipv4": "10.3.0.2", "provider": "oci", "local_hostname": "web1" })
    );

    const ALIBABA: &[Page] = &[
        ("/2016-01-01/", "meta-data\nuser-data", None),
        ("/2016-01-01/meta-data/", "private-ipv4\nhostname\nram/", None),
        ("/2016-01-01/meta-data/private-ipv4", "10.4.0.2", None),
        ("/2016-01-01/meta-data/hostname", "web1", None),
        ("/2016-01-01/meta-data/ram/", "count", None),
        ("/2016-01-01/meta-data/ram/count", "7", None),
    ];
    let (facts, asked) = served(&[], json!({ "dmi": { "system": { "manufacturer": "Alibaba Cloud" } } }), ALIBABA);
    assert_eq!(
        facts["alibaba"],
        json!({ "meta_data": { "private_ipv4": "10.4.0.2", "hostname": "web1", "ram": { "count": 7 } } })
    );
    assert_eq!((&facts["cloud"]["local_ipv4"], &facts["cloud"]["provider"]), (&json!("10.4.0.2"), &json!("alibaba")));
    assert!(!asked.iter().any(|path| path.contains("user-data")), "{asked:?}");

    let interfaces = json!({ "network": { "interfaces": { "eth0": { "addresses": { "D0:0D:5E:00:00:01": { "family": "lladdr" }, "192.0.2.5": { "family": "inet" } } } } } });
    const PAGES: &[Page] =
        &[("/", "latest\n1.0", None), ("/1.0/meta-data/", "ami-id", None), ("/1.0/meta-data/ami-id", "emi-1", None)];
    let (facts, _) = served(&[], interfaces.clone(), PAGES);
    assert_eq!(facts["eucalyptus"], json!({ "ami_id": "emi-1", "userdata": null }));
    let linode = cloud(&[("/etc/apt/sources.list", "deb http://mirrors.linode.com/debian stable main\n")], interfaces);
    assert_eq!(
        (&linode["linode"], &linode["cloud"]["public_ipv4"]),
        (&json!({ "public_ip": "192.0.2.5" }), &json!("192.0.2.5"))
    );
    assert_eq!(
        served(&[("/proc/cmdline", "scaleway")], json!({}), &[("/conf?format=json", r#"{"id":"s"}"#, None)]).0["scaleway"],
        json!({ "id": "s" })
    );
}

#[test]
fn disabled_plugins_are_left_out() {
    let hints = [("/etc/chef/ohai/hints/linode.json", "{}"), ("/etc/chef/ohai/hints/azure.json", "{}")];
    let without = |plugins: &[&str]| {
        let choice = Choice { disabled: plugins.iter().map(ToString::to_string).collect(), ..Choice::default() };
        let mut facts = Facts::new();
        collect(&machine(&hints, "web1"), &choice, &mut facts);
        facts.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(without(&["Linode"]), ["azure", "cloud"]);
    assert_eq!(without(&["cloud", "azure"]), ["linode"]);
}
