//! The resolved tree: made by the lowering, evaluated by the executor.
//!
//! A tree is immutable except for its inline caches and the mark of `ruby2_keywords` (relaxed atomics, so that trees are `Send + Sync` and can be made on another thread).
//! Locals are resolved to (depth, slot): depth counts block scopes outwards from the code that uses the variable.

mod literals;
mod pattern;

pub use literals::Literals;
pub use pattern::*;

use crate::Symbol;
use num_bigint::BigInt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

/// One source file, or one string given to `eval`.
#[derive(Debug)]
pub struct SourceFile {
    /// The value of `__FILE__`.
    pub path: String,
    pub source: Vec<u8>,
    /// The number of the first line: 1 except for `eval` with a line.
    pub first_line: i32,
    /// Byte offset of each line's start.
    pub line_starts: Vec<u32>,
    /// Byte offset just after `__END__` and its newline, if the source has one.
    pub data_offset: Option<u32>,
    /// Whether it was evaluated as a string: MRI then has no source to show.
    pub evaluated: bool,
}

impl SourceFile {
    /// The text of a line, without its newline.
    pub fn line(&self, number: u32) -> Option<&[u8]> {
        let index = usize::try_from(i64::from(number) - i64::from(self.first_line)).ok()?;
        let start = *self.line_starts.get(index)? as usize;
        let end = self.line_starts.get(index + 1).map_or(self.source.len(), |&next| next as usize);
        let line = self.source.get(start..end)?;
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Line number and column (in bytes, from 0) of a byte offset.
    pub fn position(&self, offset: u32) -> (u32, u32) {
        let index = self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.line_starts.get(index).copied().unwrap_or(0);
        ((self.first_line + index as i32).max(0) as u32, offset - start)
    }
}

/// Two numbers that the executor caches at a call site; their meaning is the executor's.
#[derive(Debug, Default)]
pub struct InlineCache {
    a: AtomicU64,
    b: AtomicU64,
}

impl InlineCache {
    /// The cached numbers; initially 0.
    #[inline(always)]
    pub fn get(&self) -> (u64, u64) {
        (self.a.load(Relaxed), self.b.load(Relaxed))
    }
    #[inline(always)]
    pub fn set(&self, a: u64, b: u64) {
        self.a.store(a, Relaxed);
        self.b.store(b, Relaxed);
    }
}

/// A cached number (an instance variable's index, a flag).
#[derive(Debug, Default)]
pub struct Hint(AtomicU32);

impl Hint {
    /// The number; initially 0.
    #[inline(always)]
    pub fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }
    #[inline(always)]
    pub fn set(&self, value: u32) {
        self.0.store(value, Relaxed);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeKind {
    /// A file run as the main program, or required or loaded.
    Top,
    /// A string given to `eval`, `instance_eval` or `class_eval`: a block scope of its own inside the given scopes.
    Eval,
    Method,
    /// `{ }` or `do end` after a call. Also the body of `for` (which declares its variables outside).
    Block,
    Lambda,
    /// The body of `class` or `class << x`.
    Class,
    /// The body of `module`.
    Module,
}

/// A unit of code with its own locals.
#[derive(Debug)]
pub struct Code {
    pub kind: CodeKind,
    /// The method's name, the class's name, or empty.
    pub name: Symbol,
    pub file: Arc<SourceFile>,
    pub line: u32,
    pub end_line: u32,
    pub params: Params,
    /// Names of all slots, parameters first in order of declaration; hidden slots have an empty name.
    pub locals: Vec<Symbol>,
    pub body: Node,
}

impl Drop for Code {
    fn drop(&mut self) {
        crate::stack::drop_deep((std::mem::replace(&mut self.body, Node::Nil), std::mem::take(&mut self.params)));
    }
}

/// Parameters of a method, block or lambda. Slots are indices into the code's locals.
/// Order of slots: required, optional, rest, post, keywords, kwrest, block; then the names that destructuring binds, then other locals.
#[derive(Debug, Default)]
pub struct Params {
    /// Required parameters before the optional ones: slots 0 .. required.
    pub required: u16,
    /// Optional parameters: slot and default value. Defaults are evaluated in order; the slots follow the required ones.
    pub optional: Vec<(u16, Node)>,
    /// `*rest`; an anonymous `*` has a slot too (named `*rest`).
    pub rest: Option<u16>,
    /// A trailing comma in block parameters (`|a,|`): the block takes the first element, as if there was a rest, but arity does not count it.
    pub excess_comma: bool,
    /// Required parameters after the rest or the optional ones: slots post_start .. post_start + post.
    pub post: u16,
    pub post_start: u16,
    /// Keyword parameters in order.
    pub keywords: Vec<KeywordParam>,
    pub kwrest: KwRest,
    /// `&block`; an anonymous `&` has a slot too (named `&block`).
    pub block: Option<u16>,
    /// Of a method: the block parameter is only passed on (`&block`), never read otherwise. No Proc is made of a literal block then, unless the
    /// activation is captured.
    pub block_passed: bool,
    /// `(a, (b, c))`: assignments from a parameter's slot, made in order once all parameters are bound.
    pub destructure: Vec<(u16, MultiTarget)>,
    /// Only required parameters, without destructuring.
    pub simple: bool,
    /// Only required, optional and keyword parameters, in consecutive slots, and perhaps a block parameter.
    pub direct: bool,
    /// `...`: rest, kwrest and block are in hidden slots (`*rest`, `**kwrest`, `&block`).
    pub forward_all: bool,
    /// The number of numbered parameters (`_1`, `_2`, `it`).
    pub numbered: u8,
    /// Of a `for`: how many statements at the beginning of its body assign the index; `redo` runs the body without them.
    pub index_statements: u16,
    /// Whether `ruby2_keywords` was called: the rest takes keywords as a flagged Hash. It holds for all methods and Procs of this code, aliases too.
    pub ruby2_keywords: AtomicBool,
}

impl Params {
    /// Whether keywords have a parameter.
    pub fn takes_keywords(&self) -> bool {
        !self.keywords.is_empty() || matches!(self.kwrest, KwRest::Slot(_))
    }

    /// Whether `ruby2_keywords` holds for this code.
    pub fn ruby2_keywords(&self) -> bool {
        self.ruby2_keywords.load(Relaxed)
    }

    /// Makes `ruby2_keywords` hold. False, and without effect, where there is no rest or keywords have a parameter.
    pub fn set_ruby2_keywords(&self) -> bool {
        let fits = self.rest.is_some() && !self.takes_keywords();
        if fits {
            self.ruby2_keywords.store(true, Relaxed);
        }
        fits
    }

    /// Whether there are only required parameters, as many as arguments.
    #[inline(always)]
    pub fn takes_exactly(&self, count: usize) -> bool {
        self.simple && usize::from(self.required) == count
    }

    /// Whether there are only required parameters, some of which may be destructured.
    pub fn only_required(&self) -> bool {
        self.simple || self.optional.is_empty() && self.rest.is_none() && !self.takes_keywords() && self.block.is_none()
    }

    /// Whether a block with these parameters takes a single Array apart when no keywords are given.
    pub fn takes_apart(&self) -> bool {
        let required = usize::from(self.required) + usize::from(self.post);
        if required == 0 {
            return self.optional.len() > 1;
        }
        // a single required parameter next to keyword parameters does, too (before Ruby 3.2)
        required + self.optional.len() > 1 || self.rest.is_some() || self.excess_comma || self.takes_keywords()
    }

    /// Whether `count` positional arguments without keywords can be bound by copying them into the first slots: no required argument is missing and
    /// none is in excess. Not so when a given block has to become a Proc for its parameter.
    #[inline(never)]
    pub fn takes_pushed(&self, count: usize, block: bool) -> bool {
        if self.simple {
            return self.takes_exactly(count);
        }
        self.direct
            && (usize::from(self.required)..=usize::from(self.required) + self.optional.len()).contains(&count)
            && self.keywords.iter().all(|keyword| keyword.default.is_some())
            && !(block && self.block.is_some() && !self.block_passed)
    }
}

#[derive(Debug)]
pub struct KeywordParam {
    pub name: Symbol,
    pub slot: u16,
    /// The default value; None when the keyword is required.
    pub default: Option<Node>,
}

/// What happens to keywords that have no parameter.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum KwRest {
    /// They are an error if there are keyword parameters at all.
    #[default]
    None,
    /// `**opts` or `**` (slot named `**kwrest`).
    Slot(u16),
    Nil,
}

/// Encoding of a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LitEncoding {
    Utf8,
    /// ASCII only, in a source in US-ASCII; or an ASCII symbol or regexp.
    UsAscii,
    /// `\xNN` in a source in US-ASCII or binary.
    Binary,
    /// Another encoding, by its name.
    Named(Symbol),
}

#[derive(Debug)]
pub struct StrLit {
    /// The bytes, with escapes resolved.
    pub bytes: Box<[u8]>,
    pub encoding: LitEncoding,
    /// Under `frozen_string_literal: true`.
    pub frozen: bool,
    /// By which the executor finds the String of a frozen literal; 0 until it is evaluated.
    pub id: Hint,
}

/// A regexp literal without interpolation.
#[derive(Debug, Clone)]
pub struct RegexLit {
    /// The text that `Regexp#source` returns.
    pub source: Box<[u8]>,
    /// The encoding of the source file, if the literal has bytes whose meaning it decides; else UTF-8.
    pub encoding: LitEncoding,
    /// Ruby's option bits: 1 i, 2 x, 4 m, 16 fixed encoding, 32 none.
    pub options: u8,
    /// A number unique to this literal in the process: the executor's key for the compiled regexp.
    pub literal_id: u32,
    pub line: u32,
}

#[derive(Debug)]
pub struct Call {
    /// None: a call on self, which may be private (`foo`, `foo()`, and `self.foo` with `self_recv`).
    pub recv: Option<Node>,
    /// The method name; `name=` for attribute assignment, `[]=` for index assignment.
    pub name: Symbol,
    pub args: Args,
    pub block: BlockArg,
    /// The line that MRI's backtraces show for the call.
    pub line: u32,
    /// Byte offsets of the method's name in the source (for the caret line under an error).
    pub span: (u32, u32),
    pub flags: CallFlags,
    pub cache: InlineCache,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct CallFlags {
    pub safe_nav: bool,
    /// A bare name that could have been a variable: NameError, not NoMethodError.
    pub vcall: bool,
    /// The receiver is literally `self`: private methods may be called.
    pub self_recv: bool,
    /// `x.y = v` and `x[i] = v`: the value of the expression is the last argument, not what the method returns.
    pub assignment: bool,
    /// Neither `safe_nav` nor `assignment`, no block, and only positional arguments without splats.
    pub plain: bool,
    /// `x[i] = v` with one positional index, without `safe_nav`.
    pub indexed: bool,
    /// `x.y = v`, or another assignment with exactly one positional argument.
    pub attribute: bool,
    /// With keywords: at most 64, all distinct Symbols. No assignment, splat or block argument.
    pub keyworded: bool,
}

/// Arguments of a call.
#[derive(Debug, Default)]
pub struct Args {
    /// Positional arguments; may contain `Node::Splat`.
    pub items: Vec<Node>,
    /// Whether one of the items is a splat.
    pub has_splat: bool,
    /// Keywords and `**hash`, in order; None when there are none.
    pub keywords: Option<Vec<HashElem>>,
}

/// The block of a call.
#[derive(Debug)]
pub enum BlockArg {
    None,
    Literal(Arc<Code>),
    /// `&expr`; anonymous `&` is a read of the hidden local.
    Pass(Box<Node>),
}

/// An element of a hash literal or of keyword arguments.
#[derive(Debug)]
pub enum HashElem {
    /// `k => v`
    Pair(Node, Node),
    DoubleSplat(Node),
}

/// Operators that the executor has a fast path for on Integer and Float (and `[]`, `<<` on Array, Hash, String).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    And,
    Or,
    Shl,
    Shr,
    Aref,
}

/// A binary operator call with one positional argument, no block, no safe navigation.
#[derive(Debug)]
pub struct OpCall {
    pub op: BinOp,
    pub recv: Node,
    pub arg: Node,
    pub name: Symbol,
    pub line: u32,
    /// Byte offsets of the operator.
    pub span: (u32, u32),
    /// The receiver is literally `self`.
    pub self_recv: bool,
    pub leaves: Leaves,
    pub cache: InlineCache,
}

/// Which operands are literals or variables, so that the executor can read them without evaluating a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leaves {
    /// A local of depth 0 and an Integer.
    LocalInt(u16, i64),
    /// Two locals of depth 0.
    Locals(u16, u16),
    /// Both are literal Integers, locals or instance variables, in other combinations.
    Far,
    /// The argument of `==` or `!=` is a String literal.
    Text,
    /// At least one is something else.
    Other,
}

impl Leaves {
    pub fn of(op: BinOp, recv: &Node, arg: &Node) -> Leaves {
        let is_leaf = |node: &Node| matches!(node, Node::Int(_) | Node::LVar(_) | Node::LVarUp(_) | Node::IVar(..));
        match (recv, arg) {
            (Node::LVar(slot), Node::Int(number)) => Leaves::LocalInt(*slot, *number),
            (Node::LVar(left), Node::LVar(right)) => Leaves::Locals(*left, *right),
            (recv, arg) if is_leaf(recv) && is_leaf(arg) => Leaves::Far,
            (_, Node::Str(_)) if matches!(op, BinOp::Eq | BinOp::Ne) => Leaves::Text,
            _ => Leaves::Other,
        }
    }
}

/// `if`, `unless` (swapped), `?:`.
#[derive(Debug)]
pub struct If {
    pub cond: Node,
    pub then: Node,
    pub otherwise: Node,
}

/// `while` and `until`.
#[derive(Debug)]
pub struct While {
    pub cond: Node,
    pub negate: bool,
    /// `begin … end while`: the body runs first.
    pub do_while: bool,
    pub body: Node,
}

/// `for target in iter`. The body is a block given to `each`; its only parameters are hidden slots. The assignment to `target` is at the beginning of
/// the block's body, so that the variables belong to the enclosing scope.
#[derive(Debug)]
pub struct For {
    pub iter: Node,
    pub body: Arc<Code>,
    pub line: u32,
    /// Inline cache of `each`.
    pub cache: InlineCache,
}

#[derive(Debug)]
pub struct Case {
    /// None: each condition is tested for truth.
    pub subject: Option<Node>,
    pub whens: Vec<When>,
    pub otherwise: Node,
    /// If there are many conditions and all are literals.
    pub literals: Option<Box<Literals>>,
}

#[derive(Debug)]
pub struct When {
    /// Conditions; may contain `Node::Splat`.
    pub conditions: Vec<Node>,
    pub line: u32,
    pub body: Node,
    /// Inline cache of `===`.
    pub cache: InlineCache,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalRef {
    /// How many block scopes outwards.
    pub depth: u16,
    /// Index among that scope's locals.
    pub slot: u16,
}

#[derive(Debug)]
pub struct Begin {
    pub body: Node,
    pub rescues: Vec<Rescue>,
    /// `else`: runs when nothing was raised.
    pub otherwise: Option<Node>,
    pub ensure: Option<Node>,
    /// The line that backtraces show for the code around a `rescue` clause while the clause runs.
    pub line: u32,
    /// The same for the `ensure` clause.
    pub ensure_line: u32,
}

#[derive(Debug)]
pub struct Rescue {
    /// Classes (may contain `Node::Splat`); empty means StandardError.
    pub classes: Vec<Node>,
    /// `=> target`.
    pub target: Option<Target>,
    pub body: Node,
    pub line: u32,
}

#[derive(Debug)]
pub enum Target {
    Local(LocalRef),
    IVar(Symbol, Hint),
    GVar(Symbol),
    CVar(Symbol),
    /// `X`, `Scope::X` or `::X` (scope `Node::ObjectClass`).
    Const(Option<Box<Node>>, Symbol),
    /// `recv.name =` or `recv[args] =`: the value is appended to the arguments.
    Call(Box<Call>),
    /// `(a, b)`
    Multi(Box<MultiTarget>),
}

/// The left side of a multiple assignment.
#[derive(Debug)]
pub struct MultiTarget {
    /// Before the splat.
    pub pre: Vec<Target>,
    /// The splat; inner None when anonymous.
    pub rest: Option<Option<Target>>,
    /// After the splat.
    pub post: Vec<Target>,
}

/// `||=`, `&&=`, `+=` …
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignOp {
    /// `||=`
    Or,
    /// `&&=`
    And,
    /// Any other, by its method.
    Call(Symbol),
}

/// Operator assignment to a method call or an index. (Those to variables and constants are lowered to plain nodes, or `OpAssignVar`.)
#[derive(Debug)]
pub struct OpAssignCall {
    /// Receiver, evaluated once. None: self.
    pub recv: Option<Node>,
    /// Arguments of an index, evaluated once.
    pub args: Args,
    /// Reader: `name` or `[]`.
    pub reader: Symbol,
    /// Writer: `name=` or `[]=`.
    pub writer: Symbol,
    pub safe_nav: bool,
    /// The receiver is literally `self` or absent.
    pub self_recv: bool,
    pub op: AssignOp,
    /// The operator, if numbers have it.
    pub numeric: Option<BinOp>,
    pub value: Node,
    pub line: u32,
    /// Caches of reader, operator and writer.
    pub caches: [InlineCache; 3],
    /// Byte offsets of the three in the source.
    pub spans: [(u32, u32); 3],
}

/// `||=` and `&&=` on a variable or constant (`defined?` guards the read of `||=` on `@@x`, `$x` and constants).
#[derive(Debug)]
pub struct OpAssignVar {
    pub target: Target,
    /// The node that reads the target.
    pub read: Node,
    /// `Or` or `And`; other operators are lowered to an assignment of an `OpCall` or `Call`.
    pub op: AssignOp,
    pub value: Node,
    pub line: u32,
}

/// A constant read by its bare name.
#[derive(Debug)]
pub struct ConstRead {
    pub name: Symbol,
    pub line: u32,
    pub span: (u32, u32),
    pub cache: InlineCache,
}

/// `Scope::Name`; `::Name` has the scope `Node::ObjectClass`.
#[derive(Debug)]
pub struct ConstPath {
    pub scope: Node,
    pub name: Symbol,
    pub line: u32,
    /// Byte offsets of the name.
    pub span: (u32, u32),
    pub cache: InlineCache,
}

/// `super(args)` and `super`.
#[derive(Debug)]
pub struct Super {
    /// Arguments. For a bare `super`, lowering writes the enclosing method's parameters as reads at the right depth (rest as splat, keywords as
    /// pairs, kwrest as double splat); the executor passes the block on.
    pub args: Args,
    /// Without arguments and parentheses.
    pub implicit: bool,
    pub block: BlockArg,
    pub line: u32,
    pub cache: InlineCache,
}

/// `class X < Y`, `module X`, `class << x`.
#[derive(Debug)]
pub struct ClassDef {
    /// Scope of the name; None: the innermost open class. `Node::ObjectClass` for `::X`.
    pub scope: Option<Node>,
    pub name: Symbol,
    pub superclass: Option<Node>,
    pub module: bool,
    pub body: Arc<Code>,
    pub line: u32,
}

/// The operand of `defined?`.
#[derive(Debug)]
pub enum Defined {
    /// A fixed result: "expression", "self", "nil", "true", "false", "assignment", "local-variable".
    Fixed(&'static str),
    IVar(Symbol),
    GVar(Symbol),
    CVar(Symbol),
    Const(Symbol),
    /// `A::B`: the scope, to be checked with `defined?` and then evaluated.
    ConstPath(Box<Defined>, Box<Node>, Symbol),
    /// `foo`, `foo(args)` on self: the arguments are checked as well.
    SelfCall(Symbol, Vec<Defined>),
    /// `x.foo(args)`: the receiver, to be checked and then evaluated.
    Call(Box<Defined>, Box<Node>, Symbol, Vec<Defined>),
    Yield,
    Super,
    /// `$1`, `$2` …
    NthRef(u32),
    /// `$&`, `` $` ``, `$'`, `$+`
    BackRef(u8),
    /// An array, hash, string …: "expression" if all its parts are defined.
    All(Vec<Defined>),
}

#[derive(Debug)]
pub enum Node {
    Nil,
    True,
    False,
    SelfRef,
    /// The class Object as the scope of `::X`.
    ObjectClass,
    Int(i64),
    Float(f64),
    BigInt(Box<BigInt>),
    /// Numerator and denominator.
    Rational(Box<(BigInt, BigInt)>),
    Imaginary(Box<Node>),
    Sym(Symbol),
    Str(Box<StrLit>),
    /// Parts; each part that is not a `Str` is converted with to_s.
    DStr(Box<[Node]>),
    DSym(Box<[Node]>),
    /// Backticks: the command, and the line.
    XStr(Box<(Vec<Node>, u32)>),
    Regex(Box<RegexLit>),
    /// Parts, options, `o` flag as literal id (0: none), line.
    DRegex(Box<(Vec<Node>, u8, u32, u32)>),
    /// Items may contain `Splat`; the flag says whether one does.
    Array(Box<(Vec<Node>, bool)>),
    /// The line is for warnings about duplicate keys and errors of unhashable ones.
    Hash(Box<Vec<HashElem>>),
    /// Begin, end, exclusive.
    Range(Box<(Node, Node, bool)>),
    /// A Range that is made once: two literal Strings, or Integers and nil; exclusive; its number as a literal, 0 until it is evaluated.
    LiteralRange(Box<(Node, Node, bool, Hint)>),
    /// `*x` inside arguments, arrays and conditions.
    Splat(Box<Node>),
    /// `**a` in an array: the Hash, unless it is empty.
    KeywordItem(Box<Vec<HashElem>>),
    /// Depth 0.
    LVar(u16),
    LVarUp(LocalRef),
    LAsgn(u16, Box<Node>),
    LAsgnUp(LocalRef, Box<Node>),
    IVar(Symbol, Hint),
    IAsgn(Box<(Symbol, Hint, Node)>),
    GVar(Symbol),
    GAsgn(Symbol, Box<Node>),
    CVar(Symbol, u32),
    CVarAsgn(Symbol, Box<Node>),
    Const(Box<ConstRead>),
    ConstPath(Box<ConstPath>),
    /// Scope (None: innermost class), name, value.
    ConstAsgn(Box<(Option<Node>, Symbol, Node)>),
    NthRef(u32),
    /// `&`, `` ` ``, `'`, `+`
    BackRef(u8),
    And(Box<(Node, Node)>),
    Or(Box<(Node, Node)>),
    /// `!x` and `not x`; the line and cache are for a `!` that is redefined.
    Not(Box<(Node, u32, InlineCache)>),
    Defined(Box<Defined>),
    If(Box<If>),
    While(Box<While>),
    For(Box<For>),
    Case(Box<Case>),
    CaseIn(Box<CaseIn>),
    /// `value => pattern`: NoMatchingPatternError when it does not match; line.
    MatchRequired(Box<(Node, Pattern, u32)>),
    MatchPredicate(Box<(Node, Pattern)>),
    Break(Option<Box<Node>>),
    Next(Option<Box<Node>>),
    Redo,
    Retry,
    Return(Option<Box<Node>>),
    Begin(Box<Begin>),
    Seq(Box<[Node]>),
    Call(Box<Call>),
    Op(Box<OpCall>),
    Super(Box<Super>),
    /// Arguments and line.
    Yield(Box<(Args, u32)>),
    OpAssignCall(Box<OpAssignCall>),
    OpAssignVar(Box<OpAssignVar>),
    /// Targets and value. Several values, or a splat, are a `Node::Array`.
    MultiAsgn(Box<(MultiTarget, Node)>),
    /// `def name`; the value is the method's name as a Symbol. The line is that of the code.
    Def(Arc<Code>),
    DefSingleton(Box<(Node, Arc<Code>)>),
    Class(Box<ClassDef>),
    /// Object, body, line.
    SClass(Box<(Node, Arc<Code>, u32)>),
    Lambda(Arc<Code>),
    /// New and old name; each is a `Sym` or a `DSym`. Line.
    Alias(Box<(Node, Node, u32)>),
    AliasGlobal(Symbol, Symbol),
    Undef(Box<(Vec<Node>, u32)>),
    /// `END { }`; the number is unique, because the block is registered only once.
    PostExe(Arc<Code>, u32),
    /// Begin, end, exclusive, hidden slot of the state (in the enclosing method's scope).
    FlipFlop(Box<(Node, Node, bool, LocalRef)>),
    /// `/(?<x>…)/ =~ value`: the match call, and the capture names with their variables.
    MatchWrite(Box<(Node, Vec<(Symbol, LocalRef)>)>),
    /// `if /re/`: matches against `$_`.
    MatchLastLine(Box<Node>),
    SourceEncoding(LitEncoding),
    /// Sets the current line for the inner node, where no call does so.
    Line(u32, Box<Node>),
    /// A statement that begins on this line, for whoever traces lines. Only in trees that were made with such marks.
    Mark(u32, Box<Node>),
    /// A branch that Coverage counts. Only in trees that were made for it.
    Branch(Box<Branch>),
}

/// A branch that is counted: when it runs, or, for the receiver of `&.`, by whether its value is nil.
#[derive(Debug)]
pub struct Branch {
    /// The number among the file's branches.
    pub number: u32,
    /// The number of the branch for nil, which makes `number` the one for other values.
    pub of_nil: Option<u32>,
    pub node: Node,
}

impl Node {
    /// Whether nothing is done where its value is not used.
    pub fn is_plain(&self) -> bool {
        matches!(
            self,
            Node::Nil
                | Node::True
                | Node::False
                | Node::SelfRef
                | Node::Int(_)
                | Node::Float(_)
                | Node::BigInt(_)
                | Node::Sym(_)
                | Node::Str(_)
                | Node::LVar(_)
                | Node::LVarUp(_)
                | Node::IVar(..)
                | Node::GVar(_)
        )
    }
}

/// A number that no other literal, `o` regexp or `END` block of this process has. Never 0.
pub fn unique_id() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Relaxed)
}

/// A number for a frozen literal; they follow each other, so that a table of them has few gaps.
pub fn literal_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Relaxed)
}
