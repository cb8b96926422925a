//! Does a hook of one version already get everything that a hook of another gets?

use modgate_validate::report::{HookFact, Matcher};

/// Is there one among `known` that is raised whenever `found` is?
pub(super) fn hook(known: &[HookFact], found: &HookFact) -> bool {
    known.iter().any(|known| {
        pattern(&known.pattern, &found.pattern)
            && known.default_keys.iter().all(|key| found.default_keys.contains(key))
            && hook_matcher(known.matcher.as_ref(), found.matcher.as_ref())
    })
}

/// Does `known` select every event that `found` selects?
fn pattern(known: &str, found: &str) -> bool {
    if known == found || known == "*" {
        return true;
    }
    // What a negation selects depends on all events there are, so it covers only itself.
    match known.strip_suffix(".*") {
        Some(prefix) if !known.starts_with('!') && !found.starts_with('!') => {
            found.strip_prefix(prefix).is_some_and(|rest| rest.starts_with('.'))
        }
        _ => false,
    }
}

/// A matcher nobody can read accepts anything, and is covered only by one that accepts everything.
fn hook_matcher(known: Option<&Matcher>, found: Option<&Matcher>) -> bool {
    match (known, found) {
        (Some(known), _) if is_open(known) => true,
        (Some(known), Some(found)) => matcher(known, found),
        _ => false,
    }
}

fn is_open(known: &Matcher) -> bool {
    matches!(known, Matcher::Has(fields) if fields.is_empty())
}

/// Does `known` accept every value that `found` accepts?
fn matcher(known: &Matcher, found: &Matcher) -> bool {
    match (known, found) {
        // What is not readable could be anything, also where both versions spell it the same.
        (Matcher::Unread, _) | (_, Matcher::Unread) => false,
        (_, Matcher::AnyOf(all)) => all.iter().all(|found| matcher(known, found)),
        (Matcher::AnyOf(all), _) => all.iter().any(|known| matcher(known, found)),
        (Matcher::Has(known), Matcher::Has(found)) => {
            known.iter().all(|(name, known)| found.iter().any(|(other, found)| name == other && matcher(known, found)))
        }
        _ => known == found,
    }
}

#[cfg(test)]
mod tests {
    use modgate_validate::report::Literal;

    use super::*;

    fn is(text: &str) -> Matcher {
        Matcher::Is(Literal::String(text.into()))
    }

    fn has(fields: &[(&str, Matcher)]) -> Matcher {
        Matcher::Has(fields.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect())
    }

    #[test]
    fn patterns() {
        for (known, found) in
            [("a.b", "a.b"), ("*", "a.b"), ("*", "!a.b"), ("a.*", "a.b"), ("a.*", "a.b.*"), ("!a.b", "!a.b")]
        {
            assert!(pattern(known, found), "{known} {found}");
        }
        for (known, found) in
            [("a.b", "*"), ("a.b", "a.*"), ("a.*", "ab.c"), ("a.*", "!a.b"), ("!a.*", "a.b"), ("!a.b", "c.d")]
        {
            assert!(!pattern(known, found), "{known} {found}");
        }
    }

    #[test]
    fn matchers() {
        let any = Matcher::AnyOf(vec![is("a"), is("b")]);
        let regex = Matcher::Regex { source: "a".into(), flags: String::new() };
        assert!(matcher(&any, &is("a")) && !matcher(&is("a"), &any));
        assert!(matcher(&any, &Matcher::AnyOf(vec![is("b"), is("a")])));
        assert!(matcher(&regex, &regex) && !matcher(&regex, &is("a")));
        assert!(!matcher(&Matcher::Unread, &Matcher::Unread) && !matcher(&any, &Matcher::Unread));
        let (wide, narrow) = (has(&[("x", any)]), has(&[("y", is("c")), ("x", is("b"))]));
        assert!(matcher(&wide, &narrow) && !matcher(&narrow, &wide));
        assert!(hook_matcher(Some(&has(&[])), None) && hook_matcher(Some(&has(&[])), Some(&narrow)));
        assert!(!hook_matcher(None, None) && !hook_matcher(Some(&wide), None) && !hook_matcher(None, Some(&wide)));
    }
}
