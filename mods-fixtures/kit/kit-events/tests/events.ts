/** The events that a test raises with its `$`, as the pages of the program list them too. */
export const BY_A_TEST = [
  'agent.offer', 'agent.report', 'agent.spawn', 'attribution.text', 'classic.ConfigChange', 'classic.CwdChanged',
  'classic.DirectoryAdded', 'classic.Elicitation', 'classic.ElicitationResult', 'classic.FileChanged',
  'classic.InstructionsLoaded', 'classic.MessageDisplay', 'classic.Notification', 'classic.PermissionDenied',
  'classic.PermissionRequest', 'classic.PostCompact', 'classic.PostModelSwitch', 'classic.PostToolBatch',
  'classic.PostToolUse', 'classic.PostToolUseFailure', 'classic.PreCompact', 'classic.PreModelSwitch',
  'classic.PreSkillShellCommand', 'classic.SessionEnd', 'classic.SessionStart', 'classic.Setup', 'classic.Stop',
  'classic.StopFailure', 'classic.SubagentStart', 'classic.SubagentStop', 'classic.TaskCompleted',
  'classic.TaskCreated', 'classic.TeammateIdle', 'classic.UserPromptExpansion', 'classic.UserPromptSubmit',
  'classic.WorktreeCreate', 'classic.WorktreeRemove', 'command.describe', 'command.run', 'config.describe',
  'config.set', 'prompt.attachment', 'prompt.autocomplete', 'prompt.change', 'prompt.compose', 'prompt.context',
  'prompt.edit', 'prompt.fill', 'prompt.mention', 'prompt.section', 'prompt.submit', 'prompt.suggest',
  'session.append', 'session.attach', 'session.compact', 'session.detach', 'session.end', 'session.measure',
  'session.receive', 'session.send', 'session.start', 'session.stop', 'skill.prompt', 'telemetry.log',
  'telemetry.mark', 'tool.call', 'tool.check', 'tool.describe', 'tool.judge', 'tool.offer', 'tool.run',
  'turn.complete', 'turn.start', 'turn.step', 'ui.focus', 'ui.offer', 'ui.render', 'ui.scroll', 'ui.tip',
  'vcs.detect', 'vcs.diff', 'vcs.isolate', 'vcs.list', 'vcs.release', 'vcs.status',
]
