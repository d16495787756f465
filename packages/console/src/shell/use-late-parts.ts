import { useSyncExternalStore } from 'react'
import { loadWithRetry } from '#/ui/lazy-part.tsx'

type LateParts = typeof import('./late-parts.ts')

let parts: LateParts | undefined
let isStarted = false
const listeners = new Set<() => void>()

/**
 * The parts that no page needs at first, once the browser has been idle and their code is there. They share one signal,
 * so that they cost the first page one render.
 */
export const useLateParts = (): LateParts | undefined => useSyncExternalStore(subscribe, () => parts)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (!isStarted) void start()
  return () => listeners.delete(listener)
}

async function start(): Promise<void> {
  isStarted = true
  await whenIdle()
  parts = await loadWithRetry(() => import('./late-parts.ts'))
  for (const listener of listeners) listener()
}

const deadlineMs = 3000

/** Resolves once the page is painted and the browser is idle. */
const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Some browsers do not report when they are idle.
    if (!('requestIdleCallback' in globalThis)) setTimeout(resolve, 500)
    else requestIdleCallback(() => resolve(), { timeout: deadlineMs })
  })
