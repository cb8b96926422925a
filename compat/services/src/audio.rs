//! `$.audio`: answers as a machine whose sound is off. Arguments are checked, nothing is played.

use std::path::Path;

use async_trait::async_trait;
use modgate_value::Value;

use crate::context::Context;
use crate::input::Args;
use crate::service::service;
use crate::{Answer, Caller, ServiceError, codes};

/// Longest text spoken, in characters.
pub const MAX_SPOKEN: usize = 4096;

service! {
    /// Serves `$.audio`.
    Audio as "audio" {
        /// `{clip: {asset} | {url} | {base64, mime}, shouldLoop, gain?}`; undefined when it has been played.
        play;
        /// `{text, voice?}`; `{via: 'system'}` when it has been spoken.
        speak;
    }
}

fn admit(context: &Context, method: &str, args: &Args<'_>) -> Result<(), ServiceError> {
    match method {
        "play" => {
            let clip = args.part("clip")?;
            let given = ["asset", "url", "base64"].into_iter().filter(|name| clip.get(name).is_some()).count();
            if given != 1 {
                return Err(args.bad("clip must hold one of asset, url and base64"));
            }
            if let Some(asset) = clip.maybe_text("asset")? {
                let parts = asset.split('/');
                if parts.into_iter().any(|part| matches!(part, "" | "." | "..")) {
                    return Err(args.bad("clip.asset must be a path inside the mod, without . segments"));
                }
            }
            if clip.maybe_text("base64")?.is_some() {
                clip.text("mime")?;
            }
            if args.maybe_number("gain")?.is_some_and(|gain| !(0.0..=4.0).contains(&gain)) {
                return Err(args.bad("gain must be between 0 and 4"));
            }
            args.maybe_bool("shouldLoop")?;
        }
        "speak" => {
            if args.text("text")?.chars().count() > MAX_SPOKEN {
                return Err(ServiceError::too_large(&context.call, "text of more than 4096 characters"));
            }
            args.maybe_text("voice")?;
        }
        _ => {}
    }
    context.reach_call()
}

/// Sound that is off: every clip ends at once. A clip of the mod's own has to exist.
#[derive(Debug, Clone, Copy, Default)]
pub struct SilentAudio;

#[async_trait]
impl Audio for SilentAudio {
    fn members(&self) -> &'static [&'static str] {
        &["play", "speak"]
    }

    async fn play(&self, caller: &Caller, input: &Value) -> Answer {
        let asset = input.get("clip").and_then(|clip| clip.str_at("asset"));
        if let (Some(asset), Some(root)) = (asset, &caller.root)
            && !root.join(Path::new(asset)).is_file()
        {
            return Err(ServiceError::failed("audio.play", codes::NOT_FOUND, format_args!("no asset {asset}")));
        }
        Ok(Value::Undefined)
    }

    async fn speak(&self, _caller: &Caller, _input: &Value) -> Answer {
        Ok(Value::object([("via", Value::from("system"))]))
    }
}
