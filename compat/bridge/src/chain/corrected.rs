//! Who changed a committed call on its way down, where a grant allows it.

use modgate_value::Value;
use parking_lot::Mutex;

/// What mods with a grant passed down in place of a committed call, and who asked for a further run.
#[derive(Default)]
pub(crate) struct Corrected(Mutex<State>);

#[derive(Default)]
struct State {
    steps: Vec<Step>,
    retried: Option<String>,
}

struct Step {
    by: String,
    from: Value,
    to: Value,
}

impl Corrected {
    /// A mod was given `from` and passed `to` down.
    pub(super) fn changed(&self, by: &str, from: &Value, to: &Value) {
        self.0.lock().steps.push(Step { by: by.to_string(), from: from.clone(), to: to.clone() });
    }

    /// A mod calls `next` again.
    pub(super) fn retried(&self, by: &str) {
        self.0.lock().retried = Some(by.to_string());
    }

    /// Whose further run it is.
    pub(crate) fn retry(&self) -> Option<String> {
        self.0.lock().retried.clone()
    }

    /// The mods that made `reached` of `original`, outermost first: the way back over what each was given.
    pub(crate) fn way(&self, original: &Value, reached: &Value) -> Vec<String> {
        let state = self.0.lock();
        let mut names: Vec<String> = Vec::new();
        let mut here = reached;
        // Every step is taken once at most, so that two mods that undo each other come to an end.
        let mut left: Vec<&Step> = state.steps.iter().collect();
        while here != original {
            let Some(at) = left.iter().rposition(|step| step.to == *here) else { break };
            let step = left.remove(at);
            if names.last() != Some(&step.by) {
                names.push(step.by.clone());
            }
            here = &step.from;
        }
        names.reverse();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_names_each_mod_that_changed_the_call() {
        let call = |text: &str| Value::object([("command", Value::text(text))]);
        let corrected = Corrected::default();
        corrected.changed("outer", &call("a"), &call("b"));
        corrected.changed("inner", &call("b"), &call("c"));
        corrected.changed("other", &call("b"), &call("d"));
        assert_eq!(corrected.way(&call("a"), &call("c")), ["outer", "inner"]);
        assert_eq!(corrected.way(&call("a"), &call("d")), ["outer", "other"]);
        assert!(corrected.way(&call("a"), &call("a")).is_empty());
        assert!(corrected.way(&call("a"), &call("unknown")).is_empty());
    }

    #[test]
    fn mods_that_undo_each_other_come_to_an_end() {
        let call = |text: &str| Value::object([("command", Value::text(text))]);
        let corrected = Corrected::default();
        corrected.changed("one", &call("b"), &call("c"));
        corrected.changed("two", &call("c"), &call("b"));
        assert_eq!(corrected.way(&call("a"), &call("c")), ["two", "one"]);
    }
}
