// @chunk recorder: of a recording, which few users begin.
import type { CallOptions, Client, LooseInput, OpRef } from '@gantry/api/client/client'
import { idsIn } from './ids-in.ts'
import {
  camelOf,
  isNextPiece,
  type KnownObject,
  knownObjects,
  type RecordedStep,
  stepOf,
  wireOf,
} from './recorded.ts'
import { recording, recordingKey } from './recording.ts'

export interface Recording {
  state: 'on' | 'stopped'
  steps: readonly RecordedStep[]
  known: Readonly<Record<string, KnownObject>>
  /** How many requests had no room any more. */
  missing: number
}

const limits = { steps: 500, characters: 1_000_000, namedAtOnce: 20 }

const empty: Recording = { state: 'on', steps: [], known: {}, missing: 0 }

export function readRecording(): Recording {
  const text = sessionStorage.getItem(recordingKey)
  if (text === null) return empty
  const { steps, ...rest } = JSON.parse(text) as Recording
  // Times are text in between.
  return { ...rest, steps: steps.map((step) => ({ ...step, input: camelOf(step.input) })) }
}

function keep({ state, steps, ...rest }: Recording): void {
  const kept = { state, ...rest, steps: steps.map((step) => ({ ...step, input: wireOf(step.input) })) }
  sessionStorage.setItem(recordingKey, JSON.stringify(kept))
}

function write(next: Recording): void {
  keep(next)
  recording.set(next.state)
}

/** Begins a recording, or ends it and shows what was recorded. */
export function stepRecording(): void {
  const state = recording.get()
  if (state === 'off') return write(empty)
  if (state === 'on') write({ ...readRecording(), state: 'stopped' })
  recording.set('shown')
}

export const resumeRecording = (): void => write({ ...readRecording(), state: 'on' })

export function discardRecording(): void {
  sessionStorage.removeItem(recordingKey)
  recording.set('off')
}

/** Keeps a request before it is sent. The page that it leaves may be gone when its answer comes. */
export function begin(client: Client, op: OpRef, input: LooseInput, options: CallOptions): Ended {
  const step = stepOf(op, input, options, undefined)
  const now = readRecording()
  if (!step || isNextPiece(step, now.steps.at(-1))) return ignore
  const { length } = JSON.stringify(now) + JSON.stringify(step)
  if (now.steps.length >= limits.steps || length > limits.characters)
    return (answer) => answer && write({ ...readRecording(), missing: readRecording().missing + 1 })
  const pending = crypto.randomUUID()
  write({ ...now, steps: [...now.steps, { ...step, pending }] })
  return (answer) => {
    const { steps, ...rest } = readRecording()
    // Discarded meanwhile.
    if (!steps.some((each) => each.pending === pending)) return
    const ended = answer && stepOf(op, input, options, answer.data)
    keep({ ...rest, steps: steps.flatMap((each) => (each.pending === pending ? (ended ?? []) : each)) })
    // The page does not wait for it.
    if (ended) void learnNames(client, ended)
  }
}

/** Keeps what a request answered with, or without an answer forgets it, because it was refused. */
export type Ended = (answer?: { data: unknown }) => void
const ignore: Ended = () => undefined

/** Soon, because what is deleted later has no name then. */
async function learnNames(client: Client, step: RecordedStep): Promise<void> {
  const { steps, known } = readRecording()
  const answered = new Set(steps.map((each) => each.answered?.id))
  const ids = idsIn(step.input).filter((id) => !answered.has(id) && !(id in known))
  if (ids.length === 0) return
  const learnt = await knownObjects(client, ids.slice(0, limits.namedAtOnce), [step])
  if (recording.get() === 'off') return
  const now = readRecording()
  keep({ ...now, known: { ...now.known, ...learnt } })
}
