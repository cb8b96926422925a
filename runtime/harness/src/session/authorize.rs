use std::sync::Arc;

use serde_json::Value;

use crate::error::HarnessError;
use crate::permission::{Decision, Verdict};
use crate::person::{PermissionAnswer, PermissionAsk};
use crate::point::{AuthorizationRequest, LoggedCall};
use crate::record::{By, PermissionRow, kind};
use crate::report::{Change, Report};
use crate::tools::Effect;

use super::core::{Core, to_value};
use super::policy::Ceiling;

/// Rules and mode, then the contributors, inside the policy's ceiling.
pub(super) async fn verdict(core: &Arc<Core>, request: &AuthorizationRequest) -> Result<Verdict, HarnessError> {
    let effect = effect_of(core, request);
    let shell = core.tool_state.shell_dir().unwrap_or_else(|| core.root.clone());
    let permissions = core.permissions.read().clone();
    let mut verdict = permissions.decide_in(&request.tool, effect, &request.input, &core.root, &shell);
    let handle = core.handle();
    for one in core.registry.authorization() {
        match one.it.authorize(request, verdict.clone(), &handle).await {
            Err(error) => core.failed(&one.name, &error).await?,
            Ok(said) if said.decision == verdict.decision && said.reason == verdict.reason => {}
            Ok(said) if allowed(core.policy.ceiling, verdict.decision, said.decision) => {
                // A contributor that acts for somebody else says so in the source.
                let named = said.source.starts_with("mod:") && said.source != verdict.source;
                let source = if named { said.source } else { format!("mod:{}", one.name) };
                verdict = Verdict { source, ..said };
            }
            Ok(said) => {
                let report = too_loose(request, &verdict, &said);
                // A contributor that acts for somebody else says so in the source.
                let by = said.source.strip_prefix("mod:").unwrap_or(&one.name);
                core.report(By::Mod(by.to_owned()), &report).await?;
            }
        }
    }
    Ok(verdict)
}

fn effect_of(core: &Core, request: &AuthorizationRequest) -> Effect {
    let frozen = core.snapshot(request.agent_id.as_deref()).and_then(|snapshot| snapshot.route(&request.tool));
    let route = frozen.or_else(|| core.tools.iter().find(|tool| tool.spec().name == request.tool).cloned());
    route.map_or(Effect::Runs, |tool| tool.spec().effect)
}

fn allowed(ceiling: Ceiling, from: Decision, to: Decision) -> bool {
    to >= from
        || match ceiling {
            Ceiling::Tighten => false,
            Ceiling::LiftAsk => from == Decision::Ask,
            Ceiling::LiftDeny => true,
        }
}

fn too_loose(request: &AuthorizationRequest, from: &Verdict, to: &Verdict) -> Report {
    let message = "a verdict was loosened beyond what this host lets a contributor do; the stricter one stands";
    let mut report = Report::new("permission-ceiling", message);
    report.call_id = request.call_id.clone();
    let (old, new) = (to_value(&from.decision), to_value(&to.decision));
    report.changes.push(Change { path: "$.decision".into(), old, new });
    report
}

/// Decides about one execution, asks the person where that is due, and records the decision. `Some` is the reason of
/// a refusal.
pub(super) async fn decide(
    core: &Arc<Core>,
    call: &LoggedCall,
    attempt: u32,
    tool: &str,
    input: &Value,
) -> Result<Option<String>, HarnessError> {
    let request = AuthorizationRequest {
        call_id: Some(call.id.clone()),
        tool: tool.to_owned(),
        input: input.clone(),
        agent_id: call.agent_id.clone(),
    };
    let verdict = verdict(core, &request).await?;
    let mut row = PermissionRow {
        call_id: call.id.clone(),
        attempt,
        decision: verdict.decision,
        verdict: verdict.decision,
        rule: verdict.rule.clone(),
        source: verdict.source.clone(),
        reason: verdict.reason.clone(),
        tool: tool.to_owned(),
        input: input.clone(),
    };
    let mut by = By::Harness;
    if verdict.decision == Decision::Ask {
        let ask = PermissionAsk {
            call_id: call.id.clone(),
            tool: tool.to_owned(),
            input: input.clone(),
            reason: verdict.reason.clone(),
        };
        by = By::Person;
        row.source = "person".into();
        let answer = tokio::select! {
            answer = core.person.permission(&ask) => answer,
            () = core.cancel_of(call.agent_id.as_deref()).cancelled_owned() => {
                PermissionAnswer::Deny(Some("aborted before anybody answered".into()))
            }
        };
        (row.decision, row.reason) = match answer {
            PermissionAnswer::Allow => {
                (Decision::Allow, format!("the person allowed it; asked because: {}", verdict.reason))
            }
            PermissionAnswer::Deny(Some(word)) => (Decision::Deny, format!("the person refused: {word}")),
            PermissionAnswer::Deny(None) => (Decision::Deny, "the person refused".into()),
        };
    }
    core.write(kind::PERMISSION_DECISION, by, to_value(&row)).await?;
    Ok((row.decision == Decision::Deny).then_some(row.reason))
}
