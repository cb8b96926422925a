//! Which members of `$` this crate serves, as data for tables.

/// Members served by this crate's own implementations, sorted.
pub fn served() -> &'static [&'static str] {
    &[
        "agent.list", "agent.register", "audio.play", "audio.speak", "clock.after", "clock.every", "clock.now",
        "clock.sleep", "command.list", "command.register", "config.list", "config.set", "env.get", "env.set",
        "fs.ancestors", "fs.exists", "fs.list", "fs.read", "fs.stat", "fs.write", "http.fetch", "mcp.call",
        "model.classify", "model.complete", "model.fork", "process.run", "process.spawn", "prompt.fill", "prompt.read",
        "prompt.suggest", "session.authorize", "session.cwd", "session.id", "session.messages", "session.model",
        "session.repo", "session.root", "session.surface", "session.surfaces", "session.turns", "session.usage",
        "session.version", "settings.read", "state.get", "state.set", "store.delete", "store.get", "store.keys",
        "store.set", "telemetry.log", "telemetry.mark", "tool.list", "tool.register", "turn.abort", "ui.blit",
        "ui.close", "ui.copy", "ui.focus", "ui.invalidate", "ui.log", "ui.notice", "ui.open", "ui.panes", "ui.scroll",
        "ui.selection", "ui.status", "ui.toast",
    ]
}

/// Members that only a host with a turn loop can serve: their traits are here, what answers is the host's. Sorted.
pub fn host_served() -> &'static [&'static str] {
    &[
        "agent.spawn", "command.run", "prompt.compose", "prompt.submit", "session.append", "session.compact",
        "session.send", "tool.call", "tool.check", "ui.ask", "ui.resolve",
    ]
}
