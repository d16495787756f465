import { createStore } from '#/store.ts'

/** Where the tab keeps what it recorded, through reloads and from page to page. */
export const recordingKey = 'gantry-recording'

/** Where the tab keeps a plan that runs in it. */
export const runKey = 'gantry-plan-run'

/** What is kept begins with its state; there is no storage outside of browsers. */
const kept = globalThis.sessionStorage?.getItem(recordingKey)?.slice(10, 12)

/** Whether this tab records what it changes. What it recorded waits as `stopped` until it is discarded. */
export const recording = createStore<'off' | 'on' | 'stopped' | 'shown'>(
  kept === 'on' ? kept : kept ? 'stopped' : 'off',
)
