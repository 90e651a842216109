//! `OpenSSL::PKey::EC`: curves, points, and keys on them.

use super::{Key, failed, key};
use crate::openssl::{binary, bn, bytes, error, failure, ffi};
use openssl::bn::BigNumContext;
use openssl::ec::{EcGroup, EcKey, EcPoint, PointConversionForm};
use openssl::error::ErrorStack;
use openssl::nid::Nid;
use openssl::pkey::{PKey, Params};
use rchef_ruby::{Args, ClassId, MethodDef, NativeData, Res, Value, Vm, def, opt};

static KEYS: &[MethodDef] = &[
    def("take_curve", take_curve, 1).private(),
    def("take_pair", take_pair, 3).private(),
    def("group", group, 0),
    def("private_key", private_number, 0),
    def("public_key", public_point, 0),
    def("check_key", check_key, 0),
];
static CURVES: &[MethodDef] = &[def("builtin_curves", builtin_curves, 0)];
static GROUP: &[MethodDef] = &[
    def("initialize", group_initialize, 1).private(),
    def("curve_name", curve_name, 0),
    def("degree", degree, 0),
    def("order", order, 0),
    def("cofactor", cofactor, 0),
    def("generator", generator, 0),
    def("to_der", group_der, 0),
    def("==", group_equals, 1),
    def("eql?", group_equals, 1),
];
static POINT: &[MethodDef] = &[
    opt("initialize", point_initialize, 1, 2).private(),
    def("group", point_group, 0),
    opt("octets", octets, 1, 1).private(),
    def("infinity?", is_infinity, 0),
    def("on_curve?", is_on_curve, 0),
    def("mul", multiply, 1),
    def("add", add, 1),
    def("invert!", invert, 0),
    def("set_to_infinity!", set_to_infinity, 0),
    def("==", point_equals, 1),
    def("eql?", point_equals, 1),
];

const GROUP_ERROR: &str = "PKey::EC::Group::Error";
const POINT_ERROR: &str = "PKey::EC::Point::Error";

/// A named curve. The library's object is created for each use, because it cannot be shared.
#[derive(Clone, Copy, PartialEq)]
struct Curve(Nid);
impl NativeData for Curve {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        Some(Box::new(*self))
    }
}
impl Curve {
    fn group(self) -> Result<EcGroup, ErrorStack> {
        EcGroup::from_curve_name(self.0)
    }
    fn of<T>(key: &EcKey<T>) -> Option<Curve>
    where
        T: openssl::pkey::HasParams,
    {
        key.group().curve_name().map(Curve)
    }
}
/// A point on a curve.
struct Point {
    curve: Curve,
    point: EcPoint,
}
impl NativeData for Point {
    fn duplicate(&self) -> Option<Box<dyn NativeData>> {
        let group = self.curve.group().ok()?;
        Some(Box::new(Point { curve: self.curve, point: self.point.to_owned(&group).ok()? }))
    }
}

/// Defines the methods of OpenSSL::PKey::EC.
pub(super) fn init(vm: &mut Vm, module: ClassId) {
    let class = vm.class_named("OpenSSL::PKey::EC").unwrap_or(module);
    vm.define_methods(class, KEYS);
    vm.define_singleton_methods(class, CURVES);
    let error = vm.class_named("OpenSSL::OpenSSLError").unwrap_or(ClassId::STANDARD_ERROR);
    for (name, table) in [("Group", GROUP), ("Point", POINT)] {
        let inner = vm.define_class(class, name, ClassId::OBJECT);
        vm.class_mut(inner).allocator = Some(|_, class| Ok(Value::object(class)));
        vm.define_class(inner, "Error", error);
        vm.define_methods(inner, table);
    }
}

fn builtin_curves(_: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let rows = ffi::curves().into_iter().map(|(nid, comment)| {
        Value::array(vec![Value::str(nid.short_name().unwrap_or_default()), Value::str(comment)])
    });
    Ok(Value::array(rows.collect()))
}
/// The curve with OpenSSL's or NIST's name.
fn named(name: &str) -> Option<Curve> {
    ffi::initialize();
    let name = match name {
        "P-192" => "prime192v1",
        "P-224" => "secp224r1",
        "P-256" | "secp256r1" => "prime256v1",
        "P-384" => "secp384r1",
        "P-521" => "secp521r1",
        other => other,
    };
    let nid = openssl::asn1::Asn1Object::from_str(name).ok()?.nid();
    EcGroup::from_curve_name(nid).ok().map(|_| Curve(nid))
}
fn curve(vm: &mut Vm, this: &Value) -> Res<(Curve, EcGroup)> {
    let Some(curve) = vm.data::<Curve>(this).copied() else {
        let shown = vm.describe(this);
        return Err(vm.type_error(format!("wrong argument type {shown} (expected OpenSSL/EC_GROUP)")));
    };
    let group = curve.group().map_err(|stack| failure(vm, GROUP_ERROR, "EC_GROUP_new_by_curve_name", &stack))?;
    Ok((curve, group))
}
fn curve_value(vm: &mut Vm, curve: Curve) -> Value {
    let class = vm.class_named("OpenSSL::PKey::EC::Group").unwrap_or(ClassId::OBJECT);
    Value::data(class, curve)
}
fn point_value(vm: &mut Vm, curve: Curve, point: EcPoint) -> Value {
    let class = vm.class_named("OpenSSL::PKey::EC::Point").unwrap_or(ClassId::OBJECT);
    Value::data(class, Point { curve, point })
}

/// `(group or name)`: becomes a key with nothing but the curve.
fn take_curve(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = match vm.data::<Curve>(args.at(0)).copied() {
        Some(curve) => Some(curve),
        None => {
            let name = vm.to_text(args.at(0))?;
            named(&name)
        }
    };
    let Some(curve) = found else { return Ok(Value::False) };
    let made = curve.group().and_then(|group| PKey::from_ec_key(EcKey::from_group(&group)?));
    match made {
        Ok(key) => vm.set_data(this, Key::Params(key)),
        Err(stack) => return Err(failed(vm, "EVP_PKEY_fromdata", &stack)),
    }
    Ok(Value::True)
}
/// `(group, point or nil, number or nil)`: becomes a key of these. The point is computed if only the number is given.
fn take_pair(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (_, group) = curve(vm, args.at(0))?;
    let point = match args.at(1) {
        Value::Nil => None,
        given => Some(point(vm, given)?.1),
    };
    let number = if args.at(2).is_nil() { None } else { Some(bn::number(vm, args.at(2))?) };
    let made = match (point, number) {
        (None, None) => EcKey::from_group(&group).and_then(PKey::from_ec_key).map(Key::Params),
        (Some(point), None) => EcKey::from_public_key(&group, &point).and_then(PKey::from_ec_key).map(Key::Public),
        (point, Some(number)) => {
            let point = match point {
                Some(point) => Ok(point),
                None => EcPoint::new(&group).and_then(|mut point| {
                    let mut context = BigNumContext::new()?;
                    point.mul_generator2(&group, &number, &mut context)?;
                    Ok(point)
                }),
            };
            point
                .and_then(|point| EcKey::from_private_components(&group, &number, &point))
                .and_then(PKey::from_ec_key)
                .map(Key::Private)
        }
    };
    match made {
        Ok(key) => vm.set_data(this, key),
        Err(stack) => return Err(failed(vm, "EVP_PKEY_fromdata", &stack)),
    }
    Ok(this.clone())
}
fn curve_of(key: &Key) -> Option<Curve> {
    match key {
        Key::Params(key) => Curve::of(&key.ec_key().ok()?),
        Key::Public(key) => Curve::of(&key.ec_key().ok()?),
        Key::Private(key) => Curve::of(&key.ec_key().ok()?),
    }
}
fn group(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(curve) = vm.data::<Key>(this).and_then(curve_of) else { return Ok(Value::Nil) };
    Ok(curve_value(vm, curve))
}
fn private_number(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let Some(Key::Private(key)) = vm.data::<Key>(this) else { return Ok(Value::Nil) };
    let number = key.ec_key().and_then(|key| key.private_key().to_owned());
    number.map(|number| bn::value(vm, number)).map_err(|stack| failed(vm, "", &stack))
}
fn public_point(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    fn own<T: openssl::pkey::HasPublic>(key: &EcKey<T>) -> Result<EcPoint, ErrorStack> {
        key.public_key().to_owned(key.group())
    }
    let Some(key) = vm.data::<Key>(this).cloned() else { return Ok(Value::Nil) };
    let Some(curve) = curve_of(&key) else { return Ok(Value::Nil) };
    let point = match &key {
        Key::Params(_) => return Ok(Value::Nil),
        Key::Public(key) => key.ec_key().and_then(|key| own(&key)),
        Key::Private(key) => key.ec_key().and_then(|key| own(&key)),
    };
    point.map(|point| point_value(vm, curve, point)).map_err(|stack| failed(vm, "", &stack))
}
fn check_key(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let checked = match key(vm, this)? {
        Key::Params(key) => key.ec_key().and_then(|key: EcKey<Params>| key.check_key()),
        Key::Public(key) => key.ec_key().and_then(|key| key.check_key()),
        Key::Private(key) => key.ec_key().and_then(|key| key.check_key()),
    };
    match checked {
        Ok(()) => Ok(Value::True),
        Err(stack) => Err(failure(vm, "PKey::ECError", "EVP_PKEY_public_check", &stack)),
    }
}

fn group_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let found = match vm.data::<Curve>(args.at(0)).copied() {
        Some(curve) => curve,
        None => {
            let name = vm.to_text(args.at(0))?;
            match named(&name) {
                Some(curve) => curve,
                None => return Err(error(vm, GROUP_ERROR, &format!("unknown curve name ({name})"))),
            }
        }
    };
    vm.set_data(this, found);
    Ok(Value::Nil)
}
fn curve_name(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (curve, _) = curve(vm, this)?;
    Ok(Value::str(curve.0.short_name().unwrap_or_default()))
}
fn degree(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(curve(vm, this)?.1.degree().into()))
}
/// A number of the group, returned by a function of libcrypto.
fn of_group(
    vm: &mut Vm,
    this: &Value,
    call: impl FnOnce(&EcGroup, &mut openssl::bn::BigNum, &mut BigNumContext) -> Result<(), ErrorStack>,
) -> Res {
    let (_, group) = curve(vm, this)?;
    let made = openssl::bn::BigNum::new().and_then(|mut out| {
        let mut context = BigNumContext::new()?;
        call(&group, &mut out, &mut context)?;
        Ok(out)
    });
    made.map(|number| bn::value(vm, number)).map_err(|stack| failure(vm, GROUP_ERROR, "", &stack))
}
fn order(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    of_group(vm, this, |group, out, context| group.order(out, context))
}
fn cofactor(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    of_group(vm, this, |group, out, context| group.cofactor(out, context))
}
fn generator(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (curve, group) = curve(vm, this)?;
    match group.generator_opt().map(|point| point.to_owned(&group)) {
        Some(Ok(point)) => Ok(point_value(vm, curve, point)),
        Some(Err(stack)) => Err(failure(vm, GROUP_ERROR, "", &stack)),
        None => Ok(Value::Nil),
    }
}
/// The curve's object identifier as DER.
fn group_der(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (curve, _) = curve(vm, this)?;
    let name = curve.0.short_name().unwrap_or_default();
    let object = openssl::asn1::Asn1Object::from_str(name).map_err(|stack| failure(vm, GROUP_ERROR, "", &stack))?;
    let body = object.as_slice();
    // the object identifier of a curve is always shorter than 128 bytes
    let mut der = vec![6, body.len() as u8];
    der.extend_from_slice(body);
    Ok(binary(der))
}
fn group_equals(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (own, other) = (vm.data::<Curve>(this), vm.data::<Curve>(args.at(0)));
    Ok(Value::bool(own.is_some() && own == other))
}

fn point(vm: &mut Vm, value: &Value) -> Res<(Curve, EcPoint, EcGroup)> {
    let found = vm.data::<Point>(value).map(|found| {
        let group = found.curve.group()?;
        Ok::<_, ErrorStack>((found.curve, found.point.to_owned(&group)?, group))
    });
    match found {
        Some(Ok(found)) => Ok(found),
        Some(Err(stack)) => Err(failure(vm, POINT_ERROR, "", &stack)),
        None => {
            let shown = vm.describe(value);
            Err(vm.type_error(format!("wrong argument type {shown} (expected OpenSSL/EC_POINT)")))
        }
    }
}
/// `new(point)`, `new(group)`: the point at infinity, `new(group, bytes or BN)`
fn point_initialize(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.data::<Point>(args.at(0)).is_some() {
        let (curve, point, _) = point(vm, args.at(0))?;
        vm.set_data(this, Point { curve, point });
        return Ok(Value::Nil);
    }
    let (curve, group) = curve(vm, args.at(0))?;
    let made = match args.at(1) {
        Value::Nil => EcPoint::new(&group),
        source => {
            let octets = match source {
                Value::Str(_) => bytes(vm, source)?,
                number => bn::number(vm, number)?.to_vec(),
            };
            BigNumContext::new().and_then(|mut context| EcPoint::from_bytes(&group, &octets, &mut context))
        }
    };
    let point = made.map_err(|stack| failure(vm, POINT_ERROR, "EC_POINT_oct2point", &stack))?;
    vm.set_data(this, Point { curve, point });
    Ok(Value::Nil)
}
fn point_group(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (curve, ..) = point(vm, this)?;
    Ok(curve_value(vm, curve))
}
/// `(form)`
fn octets(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (_, point, group) = point(vm, this)?;
    let name = vm.to_text(args.at(0))?;
    let form = match name.as_str() {
        "compressed" => PointConversionForm::COMPRESSED,
        "hybrid" => PointConversionForm::HYBRID,
        _ => PointConversionForm::UNCOMPRESSED,
    };
    let made = BigNumContext::new().and_then(|mut context| point.to_bytes(&group, form, &mut context));
    made.map(binary).map_err(|stack| failure(vm, POINT_ERROR, "EC_POINT_point2oct", &stack))
}
fn is_infinity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (_, point, group) = point(vm, this)?;
    Ok(Value::bool(point.is_infinity(&group)))
}
fn is_on_curve(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (_, point, group) = point(vm, this)?;
    let found = BigNumContext::new().and_then(|mut context| point.is_on_curve(&group, &mut context));
    found.map(Value::bool).map_err(|stack| failure(vm, POINT_ERROR, "EC_POINT_is_on_curve", &stack))
}
fn multiply(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (curve, own, group) = point(vm, this)?;
    let number = bn::number(vm, args.at(0))?;
    let made = EcPoint::new(&group).and_then(|mut out| {
        let mut context = BigNumContext::new()?;
        out.mul2(&group, &own, &number, &mut context)?;
        Ok(out)
    });
    match made {
        Ok(out) => Ok(point_value(vm, curve, out)),
        Err(stack) => Err(failure(vm, POINT_ERROR, "EC_POINT_mul", &stack)),
    }
}
fn add(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    let (curve, own, group) = point(vm, this)?;
    let (_, other, _) = point(vm, args.at(0))?;
    let made = EcPoint::new(&group).and_then(|mut out| {
        let mut context = BigNumContext::new()?;
        out.add(&group, &own, &other, &mut context)?;
        Ok(out)
    });
    match made {
        Ok(out) => Ok(point_value(vm, curve, out)),
        Err(stack) => Err(failure(vm, POINT_ERROR, "EC_POINT_add", &stack)),
    }
}
fn invert(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (curve, mut own, group) = point(vm, this)?;
    let done = BigNumContext::new().and_then(|mut context| own.invert2(&group, &mut context));
    done.map_err(|stack| failure(vm, POINT_ERROR, "EC_POINT_invert", &stack))?;
    vm.set_data(this, Point { curve, point: own });
    Ok(this.clone())
}
fn set_to_infinity(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    let (curve, _, group) = point(vm, this)?;
    let point = EcPoint::new(&group).map_err(|stack| failure(vm, POINT_ERROR, "", &stack))?;
    vm.set_data(this, Point { curve, point });
    Ok(this.clone())
}
fn point_equals(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    if vm.data::<Point>(args.at(0)).is_none() {
        return Ok(Value::False);
    }
    let (curve, own, group) = point(vm, this)?;
    let (other_curve, other, _) = point(vm, args.at(0))?;
    if curve != other_curve {
        return Ok(Value::False);
    }
    let equal = BigNumContext::new().and_then(|mut context| own.eq(&group, &other, &mut context));
    equal.map(Value::bool).map_err(|stack| failure(vm, POINT_ERROR, "EC_POINT_cmp", &stack))
}
