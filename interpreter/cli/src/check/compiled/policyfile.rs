//! The run lists of a Policyfile that makes them by code: it is evaluated on an overlay that shows the current directory and nothing else.

use crate::compile::machine;
use rchef_host::overlay::{OverlayHost, OverlayOptions, skeleton};
use rchef_host::{Files, RealHost};
use std::rc::Rc;

/// The run list of a name, or the one without a name; none when the code does not evaluate here.
pub fn run_list(source: &[u8], named: Option<&str>) -> Option<Vec<String>> {
    let real = Rc::new(RealHost::new());
    let cwd = real.getcwd().ok()?;
    let options = OverlayOptions {
        passthrough: vec![cwd.clone()],
        cwd: Some(cwd),
        env: Some(std::collections::BTreeMap::new()),
        isolated: true,
        output_to_error: true,
        ..OverlayOptions::default()
    };
    let host = OverlayHost::empty(real, &skeleton::linux(), options).ok()?;
    let mut vm = machine(Rc::new(host)).ok()?;
    vm.limits.steps = Some(10_000_000);
    let code = "
reader = Object.new
class << reader
  attr_reader :lists
  def run_list(*items) = (@lists ||= {})[nil] = items.flatten
  def named_run_list(name, *items) = (@lists ||= {})[name.to_s] = items.flatten
  def default = @attributes ||= Hash.new { |hash, key| hash[key] = Hash.new(&hash.default_proc) }
  alias override default
  def method_missing(*) = nil
  def respond_to_missing?(*) = true
end
->(text, name) { reader.instance_eval(text, 'Policyfile.rb'); (reader.lists || {})[name].to_a.join(\"\\n\") }
";
    let main = vm.main.clone();
    let definee = rchef_ruby::frame::Definee::SingletonOf(main.clone());
    let reader = vm.run_string_as(code.as_bytes(), "(policyfile)", &main, definee).ok()?;
    let name = named.map_or_else(Default::default, rchef_ruby::Value::str);
    let found = vm.call_name(&reader, "call", &[rchef_ruby::Value::bytes(source), name]).ok()?;
    let text = vm.to_s_text(&found).ok()?;
    Some(text.lines().map(str::to_string).filter(|item| !item.is_empty()).collect())
}
