//! The kinds of rows the harness writes. Contributors may add others (`ui/...`, `mod/...`).

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        $($(#[$doc])* pub const $name: &str = $text;)*
        /// Every kind above, in the order of this page.
        pub const ALL: &[&str] = &[$($text),*];
    };
}

kinds! {
    /// A session begins: id, directory, policy, mode, contributors.
    SESSION_START = "session/start";
    /// A record was opened again; says what a crash had left.
    SESSION_RESUME = "session/resume";
    /// A session ends.
    SESSION_END = "session/end";
    /// What the person (or a contributor) said, as it entered.
    USER_MESSAGE = "user/message";
    /// A prompt that a contributor dropped.
    USER_DROPPED = "user/dropped";
    /// Text handed to the model beside a prompt, a result or a command.
    CONTEXT = "context/added";
    /// A turn begins.
    TURN_START = "turn/start";
    /// A turn ends: why, and a closing line where a contributor gave one.
    TURN_END = "turn/end";
    /// What the model is about to be asked: model, snapshot, sections, tools.
    REQUEST_HEADER = "request/header";
    /// What the model answered.
    ASSISTANT_MESSAGE = "assistant/message";
    /// The request failed.
    MODEL_ERROR = "model/error";
    /// A committed call. What runs is what stands here.
    TOOL_CALL = "tool/call";
    /// A call the model asked for that a contributor dropped before it was committed.
    TOOL_DROP = "tool/drop";
    /// An explicit correction of a committed call, before it runs.
    TOOL_AMEND = "tool/amend";
    /// A further run of a committed call, under a number and key of its own.
    TOOL_ATTEMPT = "tool/attempt";
    /// What was decided about a call, by which rule.
    PERMISSION_DECISION = "permission/decision";
    /// What came of a call.
    TOOL_RESULT = "tool/result";
    /// A command is about to run.
    COMMAND_START = "command/start";
    /// What a command printed and added.
    COMMAND_RUN = "command/run";
    /// Something was refused, skipped or limited.
    MOD_REPORT = "mod/report";
    /// What one capability call left behind.
    MOD_RECEIPT = "mod/receipt";
    /// A question to the person with its answer.
    UI_ASK = "ui/ask";
    /// What a surface shows at a site.
    UI_RENDER = "ui/render";
    /// A short message to the person.
    UI_TOAST = "ui/toast";
    /// A status text.
    UI_STATUS = "ui/status";
    /// A line in the log for the person.
    UI_LOG = "ui/log";
    /// A line attached to a call.
    UI_NOTICE = "ui/notice";
    /// A row that a contributor put into the conversation.
    SESSION_APPEND = "session/append";
    /// The conversation so far was replaced by a shorter one.
    SESSION_COMPACT = "session/compact";
    /// Something was said to a nested loop.
    SESSION_SEND = "session/send";
    /// A question to a model beside the conversation, before it is sent.
    MODEL_ASK = "model/ask";
    /// What the model answered to it.
    MODEL_ANSWER = "model/answer";
    /// A nested loop begins.
    SUBAGENT_START = "subagent/start";
    /// A nested loop ended.
    SUBAGENT_END = "subagent/end";
}
