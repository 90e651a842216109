//! The routes of the main table, read from the kernel by rtnetlink(7), with the data of `ip route show`.

use rchef_host::Host;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Route {
    /// Index of the outgoing interface.
    pub(super) interface: u32,
    /// The destination; None for a default route.
    pub(super) to: Option<(IpAddr, u8)>,
    pub(super) via: Option<IpAddr>,
    /// Zero if the route has none.
    pub(super) metric: u32,
    /// The routing protocol, by name or number; None for `boot` (added by hand).
    pub(super) proto: Option<String>,
    pub(super) scope: Option<&'static str>,
    /// The preferred source address.
    pub(super) src: Option<IpAddr>,
    pub(super) v6: bool,
}

const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const RTM_NEWROUTE: u16 = 24;
const MAIN: u32 = 254;
const UNICAST: u8 = 1;

/// The routes of a machine, IPv4 before IPv6; empty if the kernel does not give them.
pub(super) fn read(host: &dyn Host) -> Vec<Route> {
    let mut found = Vec::new();
    for family in [AF_INET, AF_INET6] {
        messages(&host.routes(family).unwrap_or_default(), &mut found);
    }
    found
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Reads the messages of a dump, up to one that is malformed.
fn messages(mut bytes: &[u8], found: &mut Vec<Route>) {
    while let (Some(length), Some(kind)) = (u32_at(bytes, 0), u16_at(bytes, 4)) {
        let length = length as usize;
        let Some(message) = bytes.get(16..length) else { return };
        if kind == RTM_NEWROUTE {
            found.extend(route(message).into_iter().flatten());
        }
        bytes = bytes.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
}

/// The attributes of a message, each with its number.
fn attributes(mut bytes: &[u8]) -> Vec<(u16, &[u8])> {
    let mut found = Vec::new();
    while let (Some(length), Some(kind)) = (u16_at(bytes, 0), u16_at(bytes, 2)) {
        let length = usize::from(length);
        let Some(value) = bytes.get(4..length) else { break };
        found.push((kind, value));
        bytes = bytes.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    found
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    match bytes.len() {
        4 => Some(Ipv4Addr::from(<[u8; 4]>::try_from(bytes).ok()?).into()),
        16 => Some(Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?).into()),
        _ => None,
    }
}

/// The routes of an `rtmsg` of the main table: one for each next hop.
fn route(message: &[u8]) -> Option<Vec<Route>> {
    const DST: u16 = 1;
    const OIF: u16 = 4;
    const GATEWAY: u16 = 5;
    const PRIORITY: u16 = 6;
    const PREFSRC: u16 = 7;
    const MULTIPATH: u16 = 9;
    const TABLE: u16 = 15;
    const VIA: u16 = 18;
    let &[family, prefix, _, _, table, protocol, scope, kind, ..] = message else { return None };
    let all = attributes(message.get(12..)?);
    let of =
        |all: &[(u16, &[u8])], kind: u16| all.iter().find(|(known, _)| *known == kind).map(|(_, value)| value.to_vec());
    let table = of(&all, TABLE).and_then(|bytes| u32_at(&bytes, 0)).unwrap_or(u32::from(table));
    if table != MAIN || kind != UNICAST {
        return None;
    }
    // RTA_VIA is a gateway of another address family, preceded by that family's number
    let via = |all: &[(u16, &[u8])]| {
        let other = of(all, VIA).and_then(|bytes| address(bytes.get(2..)?));
        of(all, GATEWAY).and_then(|bytes| address(&bytes)).or(other)
    };
    let base = Route {
        interface: of(&all, OIF).and_then(|bytes| u32_at(&bytes, 0)).unwrap_or_default(),
        to: of(&all, DST).and_then(|bytes| address(&bytes)).map(|to| (to, prefix)),
        via: via(&all),
        metric: of(&all, PRIORITY).and_then(|bytes| u32_at(&bytes, 0)).unwrap_or_default(),
        proto: protocol_name(protocol),
        scope: match scope {
            0 => None,
            200 => Some("site"),
            253 => Some("link"),
            254 => Some("host"),
            _ => Some("nowhere"),
        },
        src: of(&all, PREFSRC).and_then(|bytes| address(&bytes)),
        v6: family == AF_INET6,
    };
    let Some(hops) = of(&all, MULTIPATH) else { return Some(vec![base]) };
    let mut routes = Vec::new();
    let mut hops = &hops[..];
    // `rtnexthop`: length, flags, hops, interface
    while let (Some(length), Some(interface)) = (u16_at(hops, 0), u32_at(hops, 4)) {
        let length = usize::from(length);
        let Some(inner) = hops.get(8..length) else { break };
        routes.push(Route { interface, via: via(&attributes(inner)), ..base.clone() });
        hops = hops.get(length.next_multiple_of(4)..).unwrap_or_default();
    }
    Some(routes)
}

/// Names of iproute2's `rt_protos`; None for `boot`, the protocol of routes added with ip(8).
fn protocol_name(number: u8) -> Option<String> {
    let name = match number {
        3 => return None,
        0 => "unspec",
        1 => "redirect",
        2 => "kernel",
        4 => "static",
        8 => "gated",
        9 => "ra",
        10 => "mrt",
        11 => "zebra",
        12 => "bird",
        13 => "dnrouted",
        14 => "xorp",
        15 => "ntk",
        16 => "dhcp",
        18 => "keepalived",
        42 => "babel",
        186 => "bgp",
        187 => "isis",
        188 => "ospf",
        189 => "rip",
        192 => "eigrp",
        other => return Some(other.to_string()),
    };
    Some(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attribute(kind: u16, value: &[u8]) -> Vec<u8> {
        let mut bytes = u16::try_from(4 + value.len()).unwrap().to_ne_bytes().to_vec();
        bytes.extend(kind.to_ne_bytes());
        bytes.extend(value);
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes
    }

    fn message(kind: u16, body: &[u8]) -> Vec<u8> {
        let mut bytes = u32::try_from(16 + body.len()).unwrap().to_ne_bytes().to_vec();
        bytes.extend(kind.to_ne_bytes());
        bytes.extend([0; 10]);
        bytes.extend(body);
        bytes
    }

    #[test]
    fn a_dump_is_read() {
        // default via 10.1.2.1 dev 2 proto dhcp src 10.1.2.4 metric 100
        let mut one = vec![AF_INET, 0, 0, 0, 254, 16, 0, UNICAST, 0, 0, 0, 0];
        for (kind, value) in
            [(5, [10, 1, 2, 1]), (7, [10, 1, 2, 4]), (6, 100u32.to_ne_bytes()), (4, 2u32.to_ne_bytes())]
        {
            one.extend(attribute(kind, &value));
        }
        // 10.9.0.0/16 with two next hops
        let mut two = vec![AF_INET, 16, 0, 0, 254, 3, 0, UNICAST, 0, 0, 0, 0];
        two.extend(attribute(1, &[10, 9, 0, 0]));
        let hop = |interface: u32, gateway: [u8; 4]| {
            let gateway = attribute(5, &gateway);
            let mut bytes = u16::try_from(8 + gateway.len()).unwrap().to_ne_bytes().to_vec();
            bytes.extend([0, 0]);
            bytes.extend(interface.to_ne_bytes());
            bytes.extend(gateway);
            bytes
        };
        two.extend(attribute(9, &[hop(2, [10, 1, 2, 1]), hop(3, [10, 3, 0, 1])].concat()));
        // of the local table
        let other = vec![AF_INET, 32, 0, 0, 255, 2, 254, 2, 0, 0, 0, 0];
        let mut found = Vec::new();
        let dump = [message(24, &one), message(24, &other), message(24, &two)].concat();
        messages(&dump, &mut found);
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let default = Route {
            interface: 2,
            via: Some(ip("10.1.2.1")),
            metric: 100,
            proto: Some("dhcp".into()),
            src: Some(ip("10.1.2.4")),
            ..Route::default()
        };
        let to = Some((ip("10.9.0.0"), 16));
        let first = Route { interface: 2, to, via: Some(ip("10.1.2.1")), ..Route::default() };
        let second = Route { interface: 3, to, via: Some(ip("10.3.0.1")), ..Route::default() };
        assert_eq!(found, [default, first, second]);
        // truncated dumps
        for end in 1..dump.len() {
            messages(&dump[..end], &mut Vec::new());
        }
    }
}
