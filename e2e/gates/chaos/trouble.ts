import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Route } from '@playwright/test'
import { fateOf } from './fate.ts'

/** In the API's error format; a 404 with a code is about an object, not the path. */
const codes = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'ObjectNotFound', 500: 'Internal' } as const

/** The number of calls, and of failed ones. */
export interface Trouble {
  calls: number
  failures: number
}

/** Delays all further calls of this page, and fails a share of them. */
export async function makeTrouble(page: Page, seed: string, share: number): Promise<Trouble> {
  const times = new Map<string, number>()
  const trouble: Trouble = { calls: 0, failures: 0 }
  await page.route(/^[^?]*\/(v1|ext)\//, async (route) => {
    const call = `${route.request().method()} ${new URL(route.request().url()).pathname}`
    const time = (times.get(call) ?? 0) + 1
    times.set(call, time)
    const { delayMs, failure } = fateOf(`${seed} ${call} ${time}`, share)
    trouble.calls++
    if (failure !== undefined) trouble.failures++
    await sleep(delayMs)
    // The page may have aborted the call, or be closed.
    await meet(route, failure).catch(() => undefined)
  })
  return trouble
}

async function meet(route: Route, failure: ReturnType<typeof fateOf>['failure']): Promise<void> {
  if (failure === undefined) return route.continue()
  if (failure !== 'lost') {
    const json = { request_id: randomUUID(), error_code: codes[failure], message: 'an injected failure' }
    return route.fulfill({ status: failure, json })
  }
  // A stream never ends, so waiting for it would hang.
  if (!route.request().url().includes('/ext/v1/changes')) await route.fetch()
  return route.abort('connectionreset')
}
