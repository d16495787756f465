import { useEffect } from 'react'
import { createStore, useStore } from '#/store.ts'
import { loadWithRetry } from '#/ui/lazy-part.tsx'

type IdleParts = typeof import('./idle-parts.ts')

const parts = createStore<IdleParts | undefined>(undefined)
let started: Promise<void> | undefined

/**
 * The parts that no page needs at first, once the page is shown, the browser has been idle and their code is there.
 * They share one store, so that they cost the first page one render.
 */
export function useIdleParts(): IdleParts | undefined {
  useEffect(() => void (started ??= start()), [])
  return useStore(parts)
}

async function start(): Promise<void> {
  await whenIdle()
  parts.set(await loadWithRetry(() => import('./idle-parts.ts')))
}

const deadlineMs = 3000

/** Resolves once the page is painted and the browser is idle. */
const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Some browsers do not report when they are idle.
    if (!('requestIdleCallback' in globalThis)) setTimeout(resolve, 500)
    else requestIdleCallback(() => resolve(), { timeout: deadlineMs })
  })
