// @chunk recorder: of a recording, which few users begin.
import type { InputOf, OpRef } from '@gantry/api/client/client'
import { canPass, retryPauses } from '@gantry/api/history/retry.rules'
import { valueAt } from '@gantry/api/history/sent-request.rules'
import type { OpName } from '@gantry/api/registry'
import { call } from '#/data/client.ts'
import { asFailure, type Failure } from '#/data/failure.ts'
import { camelOf } from '#/data/recording/recorded.ts'
import { runKey } from '#/data/recording/recording.ts'
import { filled, type Given, isRequest, type PlanFile, type PlanRequest } from '#/kit/code/plan-file.ts'
import { createStore } from '#/store.ts'

/** A plan in this tab, before, while and after it runs. */
export interface PlanRun {
  plan: PlanFile
  given: Given
  /** What steps answered with, by the names that later ones use. */
  answers: Readonly<Record<string, string>>
  /** How many steps are done. */
  done: number
  /** `left` ended with its page: whether the step succeeded is not known. */
  state: 'ready' | 'running' | 'stopping' | 'stopped' | 'left' | 'finished'
  /** What the step was refused with that stopped the plan, or that is tried again while it runs. */
  failure?: Failure | undefined
}

export const planRun = createStore<PlanRun | undefined>(undefined)

function kept(run: PlanRun): string {
  // Secrets stay in memory.
  return JSON.stringify({ ...run, failure: undefined, given: { ...run.given, secrets: {} } })
}

function set(next: PlanRun): void {
  sessionStorage.setItem(runKey, kept(next))
  planRun.set(next)
}

/** Shows a plan that is to run. One that runs is not replaced. */
export function openPlan(plan: PlanFile): void {
  if (isRunning()) return
  const ids = Object.fromEntries(plan.ids.map(({ name, id }) => [name, id]))
  set({ plan, given: { projects: {}, ids, secrets: {} }, answers: {}, done: 0, state: 'ready' })
}

/** What an earlier page of this tab left unfinished. */
export function reopenPlan(): void {
  if (planRun.get()) return
  const text = sessionStorage.getItem(runKey)
  if (text === null) return
  const run = JSON.parse(text) as PlanRun
  planRun.set({ ...run, state: run.state === 'running' || run.state === 'stopping' ? 'left' : run.state })
}

export function closePlan(): void {
  sessionStorage.removeItem(runKey)
  planRun.set(undefined)
}

const isRunning = (): boolean => ['running', 'stopping'].includes(planRun.get()?.state ?? '')

export function give(given: Partial<Given>): void {
  const run = planRun.get()
  if (run) set({ ...run, given: { ...run.given, ...given } })
}

/** Stops after the request that was sent. */
export function stopPlan(): void {
  const run = planRun.get()
  if (run?.state === 'running') set({ ...run, state: 'stopping' })
  for (const wake of waiting) wake()
}

/** Skips the step that comes next. */
export function skipStep(): void {
  const run = planRun.get()
  if (!run || isRunning()) return
  const done = run.done + 1
  set({ ...run, state: done < run.plan.steps.length ? 'stopped' : 'finished', done, failure: undefined })
}

/** The operation and input of a request, as the client takes them. */
export function sentBy({ operation, method, path, params, query, body, tags }: PlanRequest) {
  return {
    // A server that has no such operation answers so.
    op: { name: operation, method, path } as unknown as OpRef,
    input: camelOf({ path: params, query, ...(body !== undefined && { body }) }) as InputOf<OpName>,
    options: tags.length > 0 ? { tags } : {},
  }
}

/** Sends the steps that are left, one after the other, until one is refused. */
export async function runPlan(): Promise<void> {
  const begun = planRun.get()
  if (!begun || isRunning()) return
  set({ ...begun, state: 'running', failure: undefined })
  addEventListener('beforeunload', ask)
  try {
    while (await isGoingOn());
  } finally {
    removeEventListener('beforeunload', ask)
  }
}

const ask = (event: BeforeUnloadEvent): void => event.preventDefault()

const update = (change: Partial<PlanRun>): void => {
  const run = planRun.get()
  if (run) set({ ...run, ...change })
}

/** One step; false at the end. */
async function isGoingOn(): Promise<boolean> {
  const run = planRun.get()
  if (!run) return false
  const step = run.plan.steps[run.done]
  if (!step) update({ state: 'finished' })
  if (!step) return false
  if (run.state === 'stopping') update({ state: 'stopped', failure: undefined })
  if (run.state === 'stopping') return false
  try {
    const answers = isRequest(step) ? { ...run.answers, ...(await answered(step, run)) } : run.answers
    update({ answers, done: run.done + 1, failure: undefined })
    return true
  } catch (error) {
    update({ state: 'stopped', failure: asFailure(error) })
    return false
  }
}

async function answered(step: PlanRequest, { given, answers }: PlanRun): Promise<Record<string, string>> {
  const { op, input, options } = sentBy(filled(step, given, answers))
  const data: unknown = await repeatedly(async () => (await call(op, input, options)).data)
  if (!step.gives) return {}
  return { [step.gives.name]: String(valueAt(data, step.gives.field)) }
}

/** As scripts do: the work of an earlier step may be in progress, such as the stop of an instance. */
async function repeatedly<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (const seconds of retryPauses) {
    try {
      return await send()
    } catch (error) {
      const failure = asFailure(error)
      if (!canPass(failure.errorCode)) throw error
      update({ failure })
      await pause(seconds * 1000)
      if (planRun.get()?.state !== 'running') throw error
    }
  }
  return send()
}

const waiting = new Set<() => void>()

/** Ends early when the plan is stopped. */
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      waiting.delete(end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    waiting.add(end)
  })
