export type Written = number

declare module 'claude-code' {
  interface PluginState {
    'ui-heard': { k: number }
  }
}
