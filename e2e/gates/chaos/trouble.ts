import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page, Route } from '@playwright/test'
import { fateOf } from './fate.ts'

/** In the API's own shape; a 404 with a code speaks of an object and not of the path. */
const codes = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'ObjectNotFound', 500: 'Internal' } as const

/** How many calls there were, and how many of them failed. */
export interface Trouble {
  calls: number
  failures: number
}

/** From here on the calls of this page take their time, and such a share of them fails. */
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
    // The page may have given up on it, or be gone.
    await meet(route, failure).catch(() => undefined)
  })
  return trouble
}

async function meet(route: Route, failure: ReturnType<typeof fateOf>['failure']): Promise<void> {
  if (failure === undefined) return route.continue()
  if (failure !== 'lost') {
    const json = { request_id: randomUUID(), error_code: codes[failure], message: 'a throw of the dice' }
    return route.fulfill({ status: failure, json })
  }
  // A stream has no end to wait for.
  if (!route.request().url().includes('/ext/v1/changes')) await route.fetch()
  return route.abort('connectionreset')
}
