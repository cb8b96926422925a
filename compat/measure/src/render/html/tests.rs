use crate::compare::{HostRun, align};
use crate::{Action, CallSeen, Observation};

use super::html;

fn host(name: &str, calls: usize, changed: usize) -> Observation {
    let call = |number: usize| {
        let asked = Action::bash(&format!("./step {number} <b>"));
        let ran = if number == changed { Action::bash("./other") } else { asked.clone() };
        CallSeen {
            id: format!("call_{number}"),
            prompt: Some(0),
            asked: Some(asked.clone()),
            executed: Some(vec![ran]),
            transcript: Some(asked.clone()),
            history: Some(asked),
            ..CallSeen::default()
        }
    };
    Observation { host: name.into(), calls: (0..calls).map(call).collect(), ..Observation::default() }
}

#[test]
fn the_page_stands_alone() {
    let page = html(&align("a <title>", &[HostRun::ran(host("one", 2, 9)), HostRun::ran(host("two", 2, 1))]));
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("<title>a &lt;title&gt; · compared</title>"));
    assert!(page.contains("executed≠recorded"));
    assert!(!page.contains("./step 0 <b>"), "texts of calls are escaped");
    assert!(page.contains("./step 0 &lt;b&gt;"));
}

#[test]
fn a_host_that_did_the_same_as_one_before_it_only_names_it() {
    let runs = [host("one", 2, 9), host("two", 2, 1), host("three", 2, 1), host("four", 2, 9)].map(HostRun::ran);
    let page = html(&align("t", &runs));
    assert_eq!(page.matches("<p class=\"as unsafe\">as two</p>").count(), 1);
    assert_eq!(page.matches("executed≠recorded</summary>").count(), 1, "told once");
    assert!(page.contains("<b class=\"host\">four</b><p>same</p>"));
}

#[test]
fn a_thousand_calls_have_a_line_each_and_one_mark() {
    let runs =
        [HostRun::ran(host("one", 1000, 2000)), HostRun::ran(host("two", 1000, 500)), HostRun::cannot("three", "no")];
    let page = html(&align("long", &runs));
    assert_eq!(page.matches("<section class=\"line call").count(), 1000);
    assert_eq!(page.matches("line call marked unsafe").count(), 1);
    assert_eq!(page.matches("<rect class=\"unsafe\"").count(), 1);
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
}
