import * as op from '@gantry/api/client/operations.gen'
import {
  type BulkAction,
  bulkActionLimits,
  bulkOutcome,
  missedWords,
} from '@gantry/api/compute/instance-action.rules'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '#/data/client.ts'
import { asFailure, Failure } from '#/data/failure.ts'
import { invalidateOps } from '#/data/queries.ts'
import { isUnreachable } from '#/features/images/upload/retry.ts'
import { type Instance, instanceAt, instanceReads } from '../queries.ts'
import { type LocalRun, saveRun } from './shown-runs.ts'

export type Target = Pick<Instance, 'id' | 'name'>

/** Poll interval for the state of an instance after the action, in ms. */
const pollMs = 2000

/** Waits until the instance reaches the action's target state; rejects with the reason if it cannot. */
export async function untilReached(action: BulkAction, project: string, name: string): Promise<void> {
  const givenUpAt = Date.now() + bulkActionLimits.settleMinutes * 60_000
  for (;;) {
    const isLate = Date.now() > givenUpAt
    try {
      const { runState } = (await call(op.instanceView, instanceAt(project, name))).data
      const outcome = bulkOutcome(action, runState)
      if (outcome === 'reached') return
      if (outcome === 'missed' || isLate)
        throw new Failure({ message: missedWords(action, runState), errorCode: 'Conflict', statusCode: 409 })
    } catch (error) {
      // An unreachable server says nothing about the instance.
      if (isLate || !isUnreachable(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

const calls = {
  start: op.instanceStart,
  stop: op.instanceStop,
  reboot: op.instanceReboot,
  delete: op.instanceDelete,
} as const

/** Browsers hold six connections per server, and the page needs some. */
const workers = 3

/** A run of the page itself, with a request per instance. */
export async function runHere(
  queryClient: QueryClient,
  project: string,
  action: BulkAction,
  targets: readonly Target[],
): Promise<void> {
  const run: LocalRun = {
    id: crypto.randomUUID?.() ?? `here-${Date.now()}`,
    project,
    action,
    state: 'running',
    items: targets.map(({ id, name }) => ({ instance: { id, name }, state: 'pending', error: null })),
    timeCompleted: null,
  }
  let items = run.items
  const settle = (index: number, item: Partial<LocalRun['items'][number]>): void => {
    items = items.map((each, at) => (at === index ? { ...each, ...item } : each))
    saveRun({ ...run, items })
  }
  saveRun(run)
  const fail = (index: number, error: unknown): void => {
    const { errorCode = '', message, help = '' } = asFailure(error)
    settle(index, { state: 'failed', error: { code: errorCode, message, help } })
  }
  let next = 0
  const waits: Promise<void>[] = []
  async function work(): Promise<void> {
    for (let index = next++; index < targets.length; index = next++) {
      const name = targets[index]?.name ?? ''
      try {
        await call(calls[action], instanceAt(project, name))
        settle(index, { state: action === 'delete' ? 'done' : 'under_way' })
        if (action !== 'delete')
          waits.push(
            untilReached(action, project, name).then(
              () => settle(index, { state: 'done' }),
              (error: unknown) => fail(index, error),
            ),
          )
      } catch (error) {
        fail(index, error)
      }
      void invalidateOps(queryClient, instanceReads)
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  await Promise.all(waits)
  void invalidateOps(queryClient, instanceReads)
  saveRun({ ...run, items, state: 'done', timeCompleted: new Date() })
}
