//! Ohai's Network and NetworkAddresses.

use super::routes::{self, Route};
use super::source::{Choice, Facts, entries, put, read, read_word};
use rchef_host::{Address, Host, Interface};
use serde_json::{Value as Json, json};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// `network` and `counters.network`, and the node's `ipaddress`, `ip6address` and `macaddress` derived from them.
pub(super) fn collect(host: &dyn Host, _: &Choice, facts: &mut Facts) {
    let mut links: Vec<Link> = entries(host, "/sys/class/net").into_iter().map(|name| Link::read(host, name)).collect();
    links.sort_by_key(|link| link.index);
    for interface in host.interfaces().unwrap_or_default() {
        // an address with a label, `eth0:1`, belongs to the interface before the colon
        let name = interface.name.split(|&b| b == b':').next().unwrap_or_default();
        if let Some(link) = links.iter_mut().find(|link| link.name.as_bytes() == name) {
            link.add_address(&interface);
        }
    }
    add_ipv6(&mut links, &read(host, "/proc/net/if_inet6").unwrap_or_default());
    add_routes(&mut links, routes::read(host));
    add_neighbours(&mut links, &read(host, "/proc/net/arp").unwrap_or_default());
    let mut network = Facts::new();
    for (key, v6) in [("default", false), ("default_inet6", true)] {
        if let Some((link, route)) = default_route(&links, v6) {
            network.insert(format!("{key}_interface"), json!(link.name));
            let none = if v6 { "::" } else { "0.0.0.0" };
            network.insert(format!("{key}_gateway"), json!(route.via.map_or(none.to_string(), |via| via.to_string())));
        }
    }
    let (addresses, mac) = main_addresses(&links, &network);
    for (key, address) in ["ipaddress", "ip6address"].into_iter().zip(addresses) {
        put(facts, key, address.map(|ip| ip.to_string()));
    }
    put(facts, "macaddress", mac);
    let (mut interfaces, mut counters) = (Facts::new(), Facts::new());
    for link in &links {
        interfaces.insert(link.name.clone(), link.facts());
        counters.insert(link.name.clone(), link.counters(host));
    }
    network.insert("interfaces".into(), Json::Object(interfaces));
    facts.insert("network".into(), Json::Object(network));
    facts.insert("counters".into(), json!({ "network": { "interfaces": counters } }));
}

struct Link {
    name: String,
    index: u32,
    mtu: Option<String>,
    flags: Vec<&'static str>,
    encapsulation: String,
    state: Option<String>,
    mac: Option<String>,
    addresses: Vec<Net>,
    routes: Vec<Route>,
    neighbours: Vec<(String, String)>,
}

struct Net {
    ip: IpAddr,
    prefix: u8,
    scope: &'static str,
    broadcast: Option<String>,
    peer: Option<String>,
    tags: Vec<&'static str>,
}

/// Interface flags by their names in ip(8), in its order.
const FLAGS: [(u32, &str); 13] = [
    (0x8, "LOOPBACK"),
    (0x2, "BROADCAST"),
    (0x10, "POINTOPOINT"),
    (0x1000, "MULTICAST"),
    (0x80, "NOARP"),
    (0x200, "ALLMULTI"),
    (0x100, "PROMISC"),
    (0x400, "MASTER"),
    (0x800, "SLAVE"),
    (0x4, "DEBUG"),
    (0x8000, "DYNAMIC"),
    (0x1, "UP"),
    (0x10000, "LOWER_UP"),
];

impl Link {
    fn read(host: &dyn Host, name: String) -> Self {
        let of = |key: &str| read_word(host, &format!("/sys/class/net/{name}/{key}")).filter(|text| !text.is_empty());
        let bits =
            of("flags").and_then(|text| u32::from_str_radix(text.trim_start_matches("0x"), 16).ok()).unwrap_or(0);
        // the carrier state is in a file of its own under /sys
        let carrier = of("carrier").is_some_and(|text| text == "1");
        let bits = if carrier { bits | 0x10000 } else { bits };
        let kind = of("type").and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
        let mac = of("address").filter(|mac| mac != "00:00:00:00:00:00" && kind != 772);
        Self {
            index: of("ifindex").and_then(|text| text.parse().ok()).unwrap_or(u32::MAX),
            mtu: of("mtu"),
            flags: FLAGS.iter().filter(|(bit, _)| bits & bit != 0).map(|(_, name)| *name).collect(),
            encapsulation: encapsulation(kind),
            state: of("operstate"),
            mac: mac.map(|mac| mac.to_uppercase()),
            addresses: Vec::new(),
            routes: Vec::new(),
            neighbours: Vec::new(),
            name,
        }
    }

    /// Adds an IPv4 address. The kernel's list has no scope: loopback addresses get `Node`, 169.254.0.0/16 gets `Link`.
    fn add_address(&mut self, interface: &Interface) {
        let ip = |bytes: &Option<Vec<u8>>| match bytes.as_deref().and_then(Address::parse) {
            Some(Address::Internet(address)) => Some(address.ip()),
            _ => None,
        };
        let Some(IpAddr::V4(address)) = ip(&interface.address) else { return };
        let prefix = match ip(&interface.netmask) {
            Some(IpAddr::V4(mask)) => mask.to_bits().leading_ones() as u8,
            _ => 32,
        };
        let other = ip(&interface.other).map(|ip| ip.to_string());
        let point_to_point = self.flags.contains(&"POINTOPOINT");
        let (peer, broadcast) = if point_to_point { (other, None) } else { (None, other) };
        let scope = match address {
            _ if address.is_loopback() => "Node",
            _ if address.is_link_local() => "Link",
            _ => "Global",
        };
        // a /32 address has no broadcast address: the kernel then repeats the address itself
        let own = address.to_string();
        let broadcast = broadcast.filter(|other| self.flags.contains(&"BROADCAST") && *other != own);
        self.addresses.push(Net { ip: address.into(), prefix, scope, broadcast, peer, tags: Vec::new() });
    }

    fn facts(&self) -> Json {
        let mut facts = Facts::new();
        let digits = self.name.find(|c: char| c.is_ascii_digit()).filter(|at| *at > 0);
        if let Some(at) = digits {
            facts.insert("type".into(), json!(self.name[..at]));
            facts.insert("number".into(), json!(self.name[at..]));
        }
        put(&mut facts, "mtu", self.mtu.clone());
        if self.flags.len() > 1 {
            facts.insert("flags".into(), json!(self.flags));
        }
        facts.insert("encapsulation".into(), json!(self.encapsulation));
        let mut addresses = Facts::new();
        if let Some(mac) = &self.mac {
            addresses.insert(mac.clone(), json!({ "family": "lladdr" }));
        }
        for net in &self.addresses {
            addresses.insert(net.ip.to_string(), net.facts());
        }
        if !addresses.is_empty() {
            facts.insert("addresses".into(), Json::Object(addresses));
        }
        put(&mut facts, "state", self.state.clone());
        if !self.neighbours.is_empty() {
            let arp: Facts = self.neighbours.iter().map(|(ip, mac)| (ip.clone(), json!(mac))).collect();
            facts.insert("arp".into(), Json::Object(arp));
        }
        if !self.routes.is_empty() {
            facts.insert("routes".into(), self.routes.iter().map(Self::route_facts).collect());
        }
        Json::Object(facts)
    }

    fn route_facts(route: &Route) -> Json {
        let mut facts = Facts::new();
        let destination = match &route.to {
            None => "default".to_string(),
            Some((ip, 32)) if ip.is_ipv4() => ip.to_string(),
            Some((ip, 128)) => ip.to_string(),
            Some((ip, prefix)) => format!("{ip}/{prefix}"),
        };
        facts.insert("destination".into(), json!(destination));
        facts.insert("family".into(), json!(if route.v6 { "inet6" } else { "inet" }));
        put(&mut facts, "via", route.via.map(|via| via.to_string()));
        put(&mut facts, "scope", route.scope);
        if route.metric > 0 {
            facts.insert("metric".into(), json!(route.metric.to_string()));
        }
        put(&mut facts, "proto", route.proto.clone());
        put(&mut facts, "src", route.src.map(|src| src.to_string()));
        Json::Object(facts)
    }

    fn counters(&self, host: &dyn Host) -> Json {
        let of = |key: &str| read_word(host, &format!("/sys/class/net/{}/{key}", self.name));
        let side = |side: &str, keys: &[(&str, &str)]| {
            let mut facts = Facts::new();
            for (key, file) in keys {
                put(&mut facts, key, of(&format!("statistics/{side}_{file}")));
            }
            facts
        };
        let common = [("bytes", "bytes"), ("packets", "packets"), ("errors", "errors"), ("drop", "dropped")];
        let rx = side("rx", &[&common[..], &[("overrun", "over_errors")]].concat());
        let mut tx = side("tx", &[&common[..], &[("carrier", "carrier_errors")]].concat());
        put(&mut tx, "collisions", of("statistics/collisions"));
        put(&mut tx, "queuelen", of("tx_queue_len"));
        json!({ "rx": rx, "tx": tx })
    }
}

impl Net {
    fn facts(&self) -> Json {
        let mut facts = Facts::new();
        facts.insert("family".into(), json!(if self.ip.is_ipv4() { "inet" } else { "inet6" }));
        facts.insert("prefixlen".into(), json!(self.prefix.to_string()));
        if self.ip.is_ipv4() {
            let mask = u32::MAX.checked_shl(32 - u32::from(self.prefix)).unwrap_or(0);
            facts.insert("netmask".into(), json!(Ipv4Addr::from_bits(mask).to_string()));
        }
        put(&mut facts, "peer", self.peer.clone());
        put(&mut facts, "broadcast", self.broadcast.clone());
        facts.insert("scope".into(), json!(self.scope));
        if self.ip.is_ipv6() {
            facts.insert("tags".into(), json!(self.tags));
        }
        Json::Object(facts)
    }
}

/// Hardware types by their number in if_arp.h, with Ohai's names.
fn encapsulation(kind: u32) -> String {
    let name = match kind {
        1 => "Ethernet",
        32 => "infiniband",
        512 => "PPP",
        768 => "ipip",
        769 => "tunnel6",
        772 => "Loopback",
        776 => "sit",
        778 => "gre",
        65534 => "none",
        _ => "void",
    };
    name.to_string()
}

/// Parses /proc/net/if_inet6: address, index, prefix, scope, flags (all hexadecimal), interface.
fn add_ipv6(links: &mut [Link], text: &str) {
    for line in text.lines() {
        let [address, _, prefix, scope, flags, name] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            continue;
        };
        let number = |text: &str| u32::from_str_radix(text, 16).unwrap_or(0);
        let (Ok(address), Some(link)) =
            (u128::from_str_radix(address, 16), links.iter_mut().find(|link| link.name == name))
        else {
            continue;
        };
        let scope = match number(scope) {
            0x10 => "Node",
            0x20 => "Link",
            0x40 => "Site",
            _ => "Global",
        };
        let tags = [(0x1, "temporary"), (0x2, "nodad"), (0x20, "deprecated"), (0x40, "tentative")];
        let tags = tags.iter().filter(|(bit, _)| number(flags) & bit != 0).map(|(_, name)| *name).collect();
        let ip = IpAddr::V6(Ipv6Addr::from_bits(address));
        link.addresses.push(Net { ip, prefix: number(prefix) as u8, scope, broadcast: None, peer: None, tags });
    }
}

/// Adds each route to its interface. A route whose source address is not on that interface is left out, unless the interface has no address of that
/// family.
fn add_routes(links: &mut [Link], routes: Vec<Route>) {
    for route in routes {
        let Some(link) = links.iter_mut().find(|link| link.index == route.interface) else { continue };
        let mut own = link.addresses.iter().filter(|net| net.ip.is_ipv6() == route.v6).peekable();
        if route.src.is_none_or(|src| own.peek().is_none() || own.any(|net| net.ip == src)) {
            link.routes.push(route);
        }
    }
}

/// Parses /proc/net/arp: address, hardware type, flags, hardware address, mask, interface.
fn add_neighbours(links: &mut [Link], text: &str) {
    for line in text.lines().skip(1) {
        let [ip, _, _, mac, _, name] = line.split_whitespace().collect::<Vec<_>>()[..] else { continue };
        if let Some(link) = links.iter_mut().find(|link| link.name == name).filter(|_| mac != "00:00:00:00:00:00") {
            link.neighbours.push((ip.into(), mac.to_lowercase()));
        }
    }
}

/// The default route with the lowest metric.
fn default_route(links: &[Link], v6: bool) -> Option<(&Link, &Route)> {
    let routes = links.iter().flat_map(|link| link.routes.iter().map(move |route| (link, route)));
    routes.filter(|(_, route)| route.to.is_none() && route.v6 == v6).min_by_key(|(_, route)| route.metric)
}

fn within(network: IpAddr, prefix: u8, ip: IpAddr) -> bool {
    match (network, ip) {
        (IpAddr::V4(network), IpAddr::V4(ip)) => {
            let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
            network.to_bits() & mask == ip.to_bits() & mask
        }
        (IpAddr::V6(network), IpAddr::V6(ip)) => {
            let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0);
            network.to_bits() & mask == ip.to_bits() & mask
        }
        _ => false,
    }
}

/// The node's IPv4 and IPv6 addresses and its hardware address: those of the favored routes, else those that Ohai's NetworkAddresses finds. Chef
/// gives no IPv4 address without a default route.
fn main_addresses(links: &[Link], network: &Facts) -> ([Option<IpAddr>; 2], Option<String>) {
    let favored = [false, true].map(|v6| favored_route(links, v6));
    let mut addresses = favored.map(|found| found.and_then(|(_, route)| route.src));
    let hardware = |link: &Link| link.mac.clone().filter(|_| !link.flags.contains(&"NOARP"));
    let mut mac = favored.into_iter().flatten().find_map(|(link, _)| hardware(link));
    for (address, v6) in addresses.iter_mut().zip([false, true]) {
        let Some((link, net)) = main_address(links, network, v6) else { continue };
        mac = mac.or_else(|| link.mac.clone());
        if v6 || default_route(links, v6).is_some() {
            address.get_or_insert(net.ip);
        }
    }
    (addresses, mac)
}

/// The route to the outside, chosen as Ohai's Linux plugin does: among the default routes and the routes that contain the default gateway, the one
/// with the lowest metric and prefix. An IPv4 route must have a source address, and not one of link scope.
fn favored_route(links: &[Link], v6: bool) -> Option<(&Link, &Route)> {
    let (_, default) = default_route(links, v6)?;
    let leads_out = |route: &Route| match (route.to, default.via) {
        (None, _) => true,
        (Some((to, prefix)), Some(via)) => within(to, prefix, via),
        (Some(_), None) => false,
    };
    let is_valid = |link: &Link, route: &Route| match route.src {
        _ if v6 => link.state.as_deref() == Some("up"),
        Some(src) => link.addresses.iter().all(|net| net.ip != src || net.scope != "Link"),
        None => false,
    };
    let routes = links.iter().flat_map(|link| link.routes.iter().map(move |route| (link, route)));
    let fitting = routes.filter(|(link, route)| route.v6 == v6 && is_valid(link, route) && leads_out(route));
    fitting.min_by_key(|(_, route)| (route.to.is_some(), route.metric, route.to.map_or(0, |(_, prefix)| prefix)))
}

/// The address chosen as by Ohai's NetworkAddresses: on the interface of the default route the address in the gateway's network, else that
/// interface's best address, else the best of all interfaces.
fn main_address<'a>(links: &'a [Link], network: &Facts, v6: bool) -> Option<(&'a Link, &'a Net)> {
    let prefix = if v6 { "default_inet6" } else { "default" };
    let of = |key: &str| network.get(&format!("{prefix}_{key}")).and_then(Json::as_str);
    let (name, gateway) = (of("interface"), of("gateway").and_then(|gateway| gateway.parse::<IpAddr>().ok()));
    let mut nets: Vec<(&Link, &Net)> =
        links.iter().flat_map(|link| link.addresses.iter().map(move |net| (link, net))).collect();
    nets.retain(|(link, net)| net.ip.is_ipv6() == v6 && name.is_none_or(|name| link.name == name));
    let rank = |net: &Net| ["Global", "Site", "Link", "Node"].iter().position(|scope| *scope == net.scope);
    nets.sort_by_key(|(_, net)| (rank(net), 128 - net.prefix, net.ip));
    let is_of_link = |gateway: &IpAddr| match gateway {
        IpAddr::V6(ip) => ip.is_unspecified() || ip.is_unicast_link_local(),
        IpAddr::V4(ip) => ip.is_unspecified(),
    };
    let gateway = gateway.filter(|gateway| !is_of_link(gateway));
    let holds = |(_, net): &&(&Link, &Net)| match (&net.peer, gateway) {
        (Some(peer), Some(gateway)) => *peer == gateway.to_string(),
        (None, Some(gateway)) => within(gateway, net.prefix, net.ip),
        _ => false,
    };
    nets.iter().find(holds).or(nets.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::super::tests::machine;
    use super::*;

    const INET6: &str =
        "fd000000000000000000000000000002 02 40 00 80 eth0\nfe80000000000000000000fffe000001 02 40 20 80 eth0\n";
    fn link() -> Link {
        let files = [
            ("/sys/class/net/eth0/ifindex", "2\n"),
            ("/sys/class/net/eth0/mtu", "1500\n"),
            ("/sys/class/net/eth0/flags", "0x1003\n"),
            ("/sys/class/net/eth0/carrier", "1\n"),
            ("/sys/class/net/eth0/type", "1\n"),
            ("/sys/class/net/eth0/operstate", "up\n"),
            ("/sys/class/net/eth0/address", "02:fc:00:00:00:01\n"),
        ];
        Link::read(&machine(&files, "web1"), "eth0".into())
    }

    #[test]
    fn an_interface_with_routes() {
        let mut links = vec![link()];
        links[0].addresses.push(Net {
            ip: "192.0.2.2".parse().unwrap(),
            prefix: 24,
            scope: "Global",
            broadcast: Some("192.0.2.255".into()),
            peer: None,
            tags: Vec::new(),
        });
        add_ipv6(&mut links, INET6);
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let route = |to: Option<(&str, u8)>, via: Option<&str>, metric, proto: Option<&str>, src: Option<&str>| Route {
            interface: 2,
            to: to.map(|(to, prefix)| (ip(to), prefix)),
            via: via.map(ip),
            metric,
            proto: proto.map(str::to_string),
            scope: src.map(|_| "link"),
            src: src.map(ip),
            v6: to.map_or(via, |(to, _)| Some(to)).is_some_and(|text| text.contains(':')),
        };
        let mut routes = vec![
            route(None, Some("192.0.2.1"), 100, None, None),
            route(Some(("192.0.2.0", 24)), None, 0, Some("kernel"), Some("192.0.2.2")),
            route(Some(("fd00::", 64)), None, 256, Some("kernel"), None),
            route(None, Some("fd00::1"), 1024, Some("ra"), None),
            // its source address is on no interface
            route(Some(("192.0.2.0", 24)), None, 0, None, Some("192.0.2.9")),
        ];
        routes.push(Route { interface: 9, ..routes[0].clone() });
        add_routes(&mut links, routes);
        add_neighbours(
            &mut links,
            "IP address HW type Flags HW address Mask Device\n192.0.2.1 0x1 0x2 AA:BB:CC:00:00:01 * eth0\n",
        );
        let expected = json!({
            "type": "eth", "number": "0", "mtu": "1500", "flags": ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"], "encapsulation": "Ethernet",
            "addresses": {
                "02:FC:00:00:00:01": { "family": "lladdr" },
                "192.0.2.2": { "family": "inet", "prefixlen": "24", "netmask": "255.255.255.0", "broadcast": "192.0.2.255", "scope": "Global" },
                "fd00::2": { "family": "inet6", "prefixlen": "64", "scope": "Global", "tags": [] },
                "fe80::ff:fe00:1": { "family": "inet6", "prefixlen": "64", "scope": "Link", "tags": [] },
            },
            "state": "up", "arp": { "192.0.2.1": "aa:bb:cc:00:00:01" },
            "routes": [
                { "destination": "default", "family": "inet", "via": "192.0.2.1", "metric": "100" },
                { "destination": "192.0.2.0/24", "family": "inet", "proto": "kernel", "scope": "link", "src": "192.0.2.2" },
                { "destination": "fd00::/64", "family": "inet6", "metric": "256", "proto": "kernel" },
                { "destination": "default", "family": "inet6", "via": "fd00::1", "metric": "1024", "proto": "ra" },
            ],
        });
        assert_eq!(links[0].facts(), expected);
        let (link, route) = default_route(&links, false).unwrap();
        assert_eq!((link.name.as_str(), route.via), ("eth0", Some("192.0.2.1".parse().unwrap())));
    }

    #[test]
    fn the_main_address_is_in_the_gateways_network() {
        let net = |ip: &str, prefix, scope| Net {
            ip: ip.parse().unwrap(),
            prefix,
            scope,
            broadcast: None,
            peer: None,
            tags: Vec::new(),
        };
        let mut links = vec![link()];
        links[0].addresses =
            vec![net("169.254.1.1", 16, "Link"), net("10.0.0.5", 8, "Global"), net("192.0.2.2", 24, "Global")];
        let network = |gateway: &str| match json!({ "default_interface": "eth0", "default_gateway": gateway }) {
            Json::Object(map) => map,
            _ => Facts::new(),
        };
        let chosen = |gateway: &str| main_address(&links, &network(gateway), false).map(|(_, net)| net.ip.to_string());
        assert_eq!(chosen("10.1.1.1").as_deref(), Some("10.0.0.5"));
        assert_eq!(chosen("192.0.2.1").as_deref(), Some("192.0.2.2"));
        // a gateway in no known network: the longest prefix of the widest scope
        assert_eq!(chosen("203.0.113.1").as_deref(), Some("192.0.2.2"));
        // without a default route the addresses are still found, but Chef then gives no IPv4 address
        links[0].addresses.push(net("fd00::2", 64, "Global"));
        let (addresses, mac) = main_addresses(&links, &Facts::new());
        assert_eq!(addresses, [None, Some("fd00::2".parse().unwrap())]);
        assert_eq!(mac.as_deref(), Some("02:FC:00:00:00:01"));
    }

    #[test]
    fn the_source_of_the_default_route_is_the_main_address() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let net = |text: &str| Net {
            ip: ip(text),
            prefix: 24,
            scope: "Global",
            broadcast: None,
            peer: None,
            tags: Vec::new(),
        };
        let network = |links: &[Link]| match json!({ "default_interface": links[0].name, "default_gateway": "10.1.2.1" })
        {
            Json::Object(map) => map,
            _ => Facts::new(),
        };
        let mut links = vec![link()];
        links[0].addresses = vec![net("10.1.2.3"), net("10.1.2.4")];
        let default = Route { interface: 2, via: Some(ip("10.1.2.1")), ..Route::default() };
        let of_link =
            Route { interface: 2, to: Some((ip("10.1.2.0"), 24)), src: Some(ip("10.1.2.4")), ..Route::default() };
        let chosen = |links: &mut Vec<Link>, routes: &[&Route]| {
            links[0].routes.clear();
            add_routes(links, routes.iter().map(|&route| route.clone()).collect());
            main_addresses(links, &network(links)).0[0].map(|ip| ip.to_string())
        };
        assert_eq!(chosen(&mut links, &[&default]).as_deref(), Some("10.1.2.3"));
        assert_eq!(chosen(&mut links, &[&default, &of_link]).as_deref(), Some("10.1.2.4"));
        let named = Route { src: Some(ip("10.1.2.3")), ..default.clone() };
        assert_eq!(chosen(&mut links, &[&of_link, &named]).as_deref(), Some("10.1.2.3"));
    }
}
