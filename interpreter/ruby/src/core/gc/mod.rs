//! GC: objects are reference counted; a collection frees unreachable cycles ([`Vm::collect_cycles`]). `profiler`: GC::Profiler.

mod profiler;

use crate::Symbol;
use crate::Vm;
use crate::args::Args;
use crate::class::ClassId;
use crate::core::natives::{nothing, yes};
use crate::error::Res;
use crate::method::{MethodDef, def, opt};
use crate::value::Value;

#[derive(Default)]
struct State {
    stress: Value,
    auto_compact: bool,
}

/// With `GC.stress` a collection runs once per this many steps.
const STRESS_STEPS: u64 = 64;

/// What `stat` tells of: MRI's names. What has no counterpart here is 0.
const FIGURES: &str = "count time heap_allocated_pages heap_sorted_length heap_allocatable_pages heap_available_slots heap_live_slots heap_free_slots \
    heap_final_slots heap_marked_slots heap_eden_pages heap_tomb_pages total_allocated_pages total_freed_pages total_allocated_objects \
    total_freed_objects malloc_increase_bytes malloc_increase_bytes_limit minor_gc_count major_gc_count compact_count read_barrier_faults \
    total_moved_objects remembered_wb_unprotected_objects remembered_wb_unprotected_objects_limit old_objects old_objects_limit \
    oldmalloc_increase_bytes oldmalloc_increase_bytes_limit";

static SINGLETON: &[MethodDef] = &[
    opt("start", start, 0, 1),
    def("enable", enable, 0),
    def("disable", disable, 0),
    def("stress", stress, 0),
    def("stress=", set_stress, 1),
    def("count", count, 0),
    opt("stat", stat, 0, 1),
    opt("latest_gc_info", latest_gc_info, 0, 1),
    def("verify_internal_consistency", nothing, 0),
    def("measure_total_time", yes, 0),
    def("measure_total_time=", itself, 1),
    def("total_time", total_time, 0),
    def("auto_compact", auto_compact, 0),
    def("auto_compact=", set_auto_compact, 1),
    def("compact", compact, 0),
    def("latest_compact_info", latest_compact_info, 0),
    opt("verify_compaction_references", verify_compaction_references, 0, 1),
    def("verify_transient_heap_internal_consistency", nothing, 0),
];
static METHODS: &[MethodDef] = &[opt("garbage_collect", start, 0, 1)];

/// The number of collections so far.
pub fn runs(vm: &Vm) -> i64 {
    vm.collections.runs as i64
}

pub(super) fn start(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let names = ["full_mark", "immediate_mark", "immediate_sweep"].map(Symbol::intern_static);
    args.take_keywords(vm, names)?;
    collect(vm);
    Ok(Value::Nil)
}
fn collect(vm: &mut Vm) {
    vm.collect(true);
    super::io::collect_locked(vm);
    super::object_space::finalize_unreferenced(vm);
}
fn enable(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(std::mem::replace(&mut vm.collections.disabled, false)))
}
fn disable(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(std::mem::replace(&mut vm.collections.disabled, true)))
}
fn stress(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let stress = vm.extension::<State>().stress.clone();
    Ok(if stress.is_nil() { Value::False } else { stress })
}
fn set_stress(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    vm.extension::<State>().stress = args.at(0).clone();
    vm.collect_every(if args.at(0).truthy() { STRESS_STEPS } else { 0 });
    Ok(args.at(0).clone())
}
/// Objects are never moved here: the setting is only kept.
fn auto_compact(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::bool(vm.extension::<State>().auto_compact))
}
fn set_auto_compact(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    vm.extension::<State>().auto_compact = args.at(0).truthy();
    Ok(args.at(0).clone())
}
/// GC.compact: a collection, after which no object has been moved.
fn compact(vm: &mut Vm, this: &Value, _: Args<'_>) -> Res {
    collect(vm);
    latest_compact_info(vm, this, Args::none())
}
fn latest_compact_info(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    let mut pairs = Vec::new();
    for kinds in ["considered", "moved"] {
        pairs.push((Value::sym(kinds), vm.new_hash(Vec::new())?));
    }
    vm.new_hash(pairs)
}
fn verify_compaction_references(vm: &mut Vm, this: &Value, args: Args<'_>) -> Res {
    args.take_keywords(vm, ["toward", "double_heap"].map(Symbol::intern_static))?;
    compact(vm, this, Args::none())
}
fn count(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(runs(vm)))
}
fn stat(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let (runs, left, freed) = (runs(vm), vm.collections.left as i64, vm.collections.freed as i64);
    let took = vm.collections.took as i64;
    let figure = |name: &str| {
        Value::Int(match name {
            "count" | "major_gc_count" => runs,
            "time" => took / 1_000_000,
            "heap_live_slots" => left,
            "total_freed_objects" => freed,
            "total_allocated_objects" => left + freed,
            _ => 0,
        })
    };
    match args.at(0) {
        Value::Sym(name) => match FIGURES.split_ascii_whitespace().find(|known| *known == name.as_str()) {
            Some(known) => Ok(figure(known)),
            None => Err(vm.argument_error(format!("unknown key: {name}"))),
        },
        Value::Nil => {
            vm.new_hash(FIGURES.split_ascii_whitespace().map(|name| (Value::sym(name), figure(name))).collect())
        }
        Value::Hash(filled) => {
            vm.check_frozen(args.at(0))?;
            for name in FIGURES.split_ascii_whitespace() {
                vm.hash_set(filled, Value::sym(name), figure(name))?;
            }
            Ok(args.at(0).clone())
        }
        _ => Err(vm.type_error("non-hash or symbol given")),
    }
}
/// Nanoseconds of all collections.
fn total_time(vm: &mut Vm, _: &Value, _: Args<'_>) -> Res {
    Ok(Value::Int(vm.collections.took as i64))
}
/// What MRI tells of a collection: each is whole, and either asked for or due since the heap has grown.
fn info(vm: &mut Vm, forced: bool) -> Res {
    let sym = Value::sym;
    let pairs = [
        ("major_by", if forced { sym("force") } else { sym("oldgen") }),
        ("gc_by", if forced { sym("method") } else { sym("newobj") }),
        ("have_finalizer", Value::False),
        ("immediate_sweep", Value::True),
        ("state", sym("none")),
    ];
    vm.new_hash(pairs.map(|(name, value)| (sym(name), value)).into())
}
fn latest_gc_info(vm: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    let forced = vm.collections.forced;
    let Value::Hash(found) = info(vm, forced)? else { return Ok(Value::Nil) };
    match args.at(0) {
        Value::Nil => Ok(Value::Hash(found)),
        Value::Sym(name) => match vm.hash_get(&found, args.at(0))? {
            Some(value) => Ok(value),
            None => Err(vm.argument_error(format!("unknown key: {name}"))),
        },
        Value::Hash(filled) => {
            let pairs: Vec<_> = found.get(vm).iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            for (key, value) in pairs {
                vm.hash_set(filled, key, value)?;
            }
            Ok(args.at(0).clone())
        }
        _ => Err(vm.type_error("non-hash or symbol given")),
    }
}
fn itself(_: &mut Vm, _: &Value, args: Args<'_>) -> Res {
    Ok(args.at(0).clone())
}

pub(super) fn boot(vm: &mut Vm) {
    vm.define_singleton_methods(ClassId::GC, SINGLETON);
    vm.define_methods(ClassId::GC, METHODS);
    profiler::boot(vm);
    let sizes = [
        ("DEBUG", Value::False),
        ("RVALUE_SIZE", Value::Int(40)),
        ("HEAP_PAGE_OBJ_LIMIT", Value::Int(409)),
        ("HEAP_PAGE_BITMAP_SIZE", Value::Int(56)),
        ("HEAP_PAGE_SIZE", Value::Int(16384)),
        ("SIZE_POOL_COUNT", Value::Int(1)),
        ("RVARGC_MAX_ALLOCATE_SIZE", Value::Int(40)),
    ];
    let sizes = vm.new_hash(sizes.map(|(name, value)| (Value::sym(name), value)).to_vec()).unwrap_or_default();
    let options = ["USE_RGENGC", "RGENGC_DEBUG", "RGENGC_ESTIMATE_OLDMALLOC", "GC_ENABLE_LAZY_SWEEP"];
    let options = options.map(|option| frozen(Value::str(option))).to_vec();
    for (name, value) in [("INTERNAL_CONSTANTS", sizes), ("OPTS", Value::array(options))] {
        vm.const_set(ClassId::GC, Symbol::intern_static(name), frozen(value));
    }
}
fn frozen(value: Value) -> Value {
    value.set_flag(crate::heap::FROZEN, true);
    value
}
