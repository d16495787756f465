import { eventParser } from '@gantry/api/client/event-stream'
import type { ChangeEvent } from '@gantry/api/extensions'
import { fleetKinds } from '@gantry/api/kind.gen'
import type { Asked } from './arguments.ts'
import { type CallContext, open } from './call.ts'
import { exitCodes, Failure, isTemporary } from './failure.ts'
import { commands, type OperationCommand } from './operations.ts'
import type { Terminal } from './terminal.ts'

/** Changes that come together are shown together. */
const gatherMs = 250
const pollMs = 5000
const retryMostMs = 30_000

const stream = commands.find(({ id }) => id === 'change_stream')

/** What is printed, and what is remarked about it. */
export interface Shown {
  text: string
  note?: string | undefined
}

/** Shows an answer, and again whenever a change of the server alters it, until the program is interrupted. */
export async function watch(
  { op }: OperationCommand,
  { input }: Asked,
  context: CallContext,
  terminal: Terminal,
  show: () => Promise<Shown>,
): Promise<void> {
  let shown: string | undefined
  const refresh = async (): Promise<void> => {
    const { text, note } = await show()
    if (text === shown) return
    // A screen shows the latest answer, anything else each of them.
    if (terminal.columns !== undefined) terminal.out(`\u001b[H\u001b[2J${text}${note ? `${note}\n` : ''}`)
    else terminal.out(text)
    shown = text
  }
  await refresh()
  const kinds = new Set(op.reads ?? [])
  let since: string | undefined
  let failures = 0
  for (;;) {
    try {
      since = await follow(
        { kinds, project: input.query?.['project'], since },
        context,
        refresh,
        () => (failures = 0),
      )
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      // A server without extensions has no stream.
      if (error.code === exitCodes.notFound) return poll(refresh)
      if (!isTemporary(error)) throw error
    }
    failures += 1
    await pause(Math.min(retryMostMs, 500 * 2 ** failures))
  }
}

interface Followed {
  kinds: ReadonlySet<string>
  project: unknown
  since: string | undefined
}

/** Follows one connection of the stream to its end; returns the position to resume from. */
async function follow(
  { kinds, project, since }: Followed,
  context: CallContext,
  refresh: () => Promise<void>,
  connected: () => void,
): Promise<string | undefined> {
  if (!stream) throw new Error('the contract has no stream of changes')
  const query = {
    topic: topicsOf(kinds),
    ...(typeof project === 'string' && { project: [project] }),
    ...(since !== undefined && { since }),
  }
  const { connection, apiVersion } = context
  const response = await open(stream, { query }, { connection, apiVersion })
  connected()
  let at = since
  let due: number | undefined
  const hear = (type: string, data: string): void => {
    // Between the answer shown and the beginning of the stream something may have changed, too.
    const wait = type === 'ready' || type === 'reset' ? 0 : waitFor(JSON.parse(data) as ChangeEvent, kinds)
    if (wait !== undefined) due = Math.max(due ?? 0, Date.now() + gatherMs + wait)
  }
  const parser = eventParser(
    ({ type, data, id }) => {
      at = id ?? at
      hear(type, data)
    },
    (id) => (at = id),
  )
  const decoder = new TextDecoder()
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  let next = reader.read()
  for (;;) {
    const left = due === undefined ? undefined : Math.max(0, due - Date.now())
    const chunk = await Promise.race([
      next,
      ...(left === undefined ? [] : [pause(left).then(() => 'due' as const)]),
    ]).catch(() => ({ done: true, value: undefined }))
    if (chunk === 'due') {
      due = undefined
      await refresh()
      continue
    }
    if (chunk.done) return at
    if (chunk.value) parser(decoder.decode(chunk.value, { stream: true }))
    next = reader.read()
  }
}

/** How long to wait before an answer is read again; undefined if the change cannot concern it. */
function waitFor({ kind, spread_ms = 0 }: ChangeEvent, kinds: ReadonlySet<string>): number | undefined {
  // A policy decides what the caller sees.
  const concerns = kinds.size === 0 || kinds.has(kind) || kind === 'policy'
  return concerns ? Math.random() * spread_ms : undefined
}

function topicsOf(kinds: ReadonlySet<string>): string[] {
  const isOfFleet = fleetKinds.some((kind) => kinds.has(kind))
  return ['silo', ...(kinds.has('utilization') ? ['utilization'] : []), ...(isOfFleet ? ['fleet'] : [])]
}

async function poll(refresh: () => Promise<void>): Promise<never> {
  for (;;) {
    await pause(pollMs)
    await refresh()
  }
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
