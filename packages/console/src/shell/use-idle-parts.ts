import { type AnyRouter, useRouter } from '@tanstack/react-router'
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
  const router = useRouter()
  useEffect(() => void (started ??= start(router)), [router])
  return useStore(parts)
}

async function start(router: AnyRouter): Promise<void> {
  await Promise.race([whenResolved(router), sleep(longestLoadMs)])
  await whenIdle()
  parts.set(await loadWithRetry(() => import('./idle-parts.ts')))
}

/** A page that waits longer may wait for one of the parts, for example for the dialog that signs in again. */
const longestLoadMs = 10_000

/** Resolves once the first page is loaded: on a slow machine the browser is also idle between its reads. */
const whenResolved = (router: AnyRouter): Promise<void> =>
  new Promise((resolve) => {
    if (router.state.resolvedLocation) return resolve()
    const stop = router.subscribe('onResolved', () => {
      stop()
      resolve()
    })
  })

const deadlineMs = 3000

/** Resolves once the page is painted and the browser is idle. */
const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    // Some browsers do not report when they are idle.
    if (!('requestIdleCallback' in globalThis)) setTimeout(resolve, 500)
    else requestIdleCallback(() => resolve(), { timeout: deadlineMs })
  })

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
