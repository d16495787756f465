import { type RunState, instanceAllows } from '@gantry/api/instance.rules'
import { allows } from '@gantry/api/state.rules'
import { identifyListener } from '../../authz/authenticate.ts'
import { permits, type Place } from '../../authz/policy.ts'
import type { Row } from '../../db/tables.ts'
import type { ByteSocket } from '../../environment.ts'
import { change, type Scope } from '../../kernel/change.ts'
import { type Cx, type Services, systemCx } from '../../kernel/cx.ts'
import { need, type Selectors } from '../../kernel/need.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import { Bell } from '../../kernel/stream.ts'

/** Most bytes in one answer of the one-shot read, unless asked for fewer (control plane reference, B 4.5). */
const defaultMaxBytes = 16 * 1024
const frameBytes = 64 * 1024
/** Output of other processes is looked for this often; our own rings. */
const pollMs = 120
/** Above this many bytes waiting in a socket nothing more is read for it. */
const highWater = 1024 * 1024
/** Keystrokes that may wait for the machine, in bytes: a line that cannot keep up loses input. */
const inputLimit = 64 * 1024
/** Whether the person may still be here is asked this often. */
const rolesMs = 30_000

interface Console {
  vmmId: string
  scope: Scope
}

function consoleProblem(state: RunState, hasVm: boolean): string | undefined {
  if (hasVm && allows(instanceAllows, 'serialConsole', state)) return undefined
  if (hasVm) return `cannot connect to serial console of instance in state "${state}"`
  return `instance is ${state} and has no active serial console server`
}

interface ReadAt {
  from_start?: number | null | undefined
  most_recent?: number | null | undefined
  max_bytes?: number | null | undefined
}

export async function readConsole(cx: Cx, at: Selectors, { from_start, most_recent, max_bytes }: ReadAt) {
  const { row, scope } = await need(cx, 'instance', at, 'read')
  const given = [from_start, most_recent].filter((offset) => offset !== null && offset !== undefined)
  if (given.length !== 1) throw invalid('exactly one of from_start and most_recent must be given')
  const problem = consoleProblem(row.run_state, row.vmm_id !== null)
  if (problem || !row.vmm_id) throw invalid(problem ?? '', 'Start the instance first.')
  const written = await advance(cx.services, { vmmId: row.vmm_id, scope })
  const wanted = from_start ?? Math.max(0, written - (most_recent ?? 0))
  if (wanted >= written) return { data: [], last_byte_offset: written }
  const { from, bytes } = await cx.services.fleet.readSerial(
    cx.db,
    row.vmm_id,
    wanted,
    max_bytes ?? defaultMaxBytes,
  )
  if (from !== wanted)
    throw invalid('that part of the output is no longer kept', `Read from byte ${from} on.`)
  return { data: [...bytes], last_byte_offset: from + bytes.length }
}

/** Lets the machine print what is due by now, and tells how much it has printed in all. */
async function advance(services: Services, { vmmId, scope }: Console): Promise<number> {
  const state = await services.fleet.serialState(services.db, vmmId)
  if (!state) return 0
  if (!state.nextDue || state.nextDue > services.clock()) return state.written
  return change(systemCx(services, 'serial-console'), scope, (tx) => services.fleet.advanceSerial(tx, vmmId))
}

/** One bell for each machine that somebody of this process looks at, so that all see a keystroke at once. */
const bells = new Map<string, { bell: Bell; viewers: number }>()

/**
 * Answers an upgrade. A console that cannot be opened is still upgraded and then closed with the reason, so
 * that a browser, which cannot read a refused upgrade, learns it too (control plane reference, B 4.6).
 */
export async function openConsole(
  cx: Cx,
  at: Selectors,
  query: { most_recent?: number | null | undefined },
): Promise<(socket: ByteSocket) => void> {
  const { row, scope, place } = await need(cx, 'instance', at, 'modify')
  const problem = consoleProblem(row.run_state, row.vmm_id !== null)
  const { services, raw } = cx
  const mayStay = () => (raw ? mayType(services, raw, place) : Promise.resolve(true))
  const target = row.vmm_id ? { vmmId: row.vmm_id, scope } : undefined
  // Known before the line is open, so that nothing is missed of what is typed at once.
  const written = problem || !target ? 0 : await advance(services, target)
  const begin = Math.max(0, written - (query.most_recent ?? written))
  return (socket) => {
    if (problem || !target) return socket.close(1011, problem ?? '')
    serve(services, { ...target, mayStay }, socket, begin).catch((error: unknown) => {
      services.log.error({ err: error, vmm: row.vmm_id }, 'a serial console broke')
      socket.close(1011, 'The serial console broke. Connect again.')
    })
  }
}

/** A line stays open for long: neither a session that ended nor a role that was taken away may live on in it. */
async function mayType(services: Services, request: Request, place: Place): Promise<boolean> {
  try {
    const actor = await identifyListener(services, request)
    return actor.kind === 'silo_user' && permits(actor, 'modify', place)
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

async function serve(
  services: Services,
  target: Console & { mayStay: () => Promise<boolean> },
  socket: ByteSocket,
  begin: number,
): Promise<void> {
  const gone = new AbortController()
  const stop = AbortSignal.any([gone.signal, services.ending])
  const shared = bells.get(target.vmmId) ?? { bell: new Bell(), viewers: 0 }
  bells.set(target.vmmId, shared)
  shared.viewers++
  socket.onClose(() => gone.abort())
  const hangUp = listen(services, target, socket, shared.bell)
  try {
    let at = begin
    let asked = services.clock().getTime()
    while (!stop.aborted) {
      if (services.clock().getTime() - asked > rolesMs) {
        if (!(await target.mayStay())) return socket.close(1008, 'you may no longer use this console')
        asked = services.clock().getTime()
      }
      const row = await instanceOf(services, target.vmmId)
      if (!row || !allows(instanceAllows, 'serialConsole', row.run_state)) {
        // What the machine said last still belongs to the viewer.
        if (row) await send(services, target.vmmId, socket, at)
        return socket.close(1000, row ? `instance is ${row.run_state}` : 'instance is stopped')
      }
      const written = await advance(services, target)
      const before = at
      if (at < written && socket.buffered() < highWater) at = await send(services, target.vmmId, socket, at)
      if (at >= written || at === before) await shared.bell.wait(pollMs, stop)
    }
    socket.close(1012, 'the server is going away')
  } finally {
    hangUp()
    shared.viewers--
    if (shared.viewers === 0) bells.delete(target.vmmId)
  }
}

/** Keystrokes are taken in the order in which they came; those that come meanwhile are taken together. */
function listen(services: Services, { vmmId, scope }: Console, socket: ByteSocket, bell: Bell): () => void {
  let waiting: number[] = []
  let typing = false
  let open = true
  const type = async (): Promise<void> => {
    typing = true
    while (waiting.length > 0) {
      const bytes = Uint8Array.from(waiting)
      waiting = []
      await change(systemCx(services, 'serial-console'), scope, (tx) =>
        services.fleet.typeSerial(tx, vmmId, bytes),
      )
      bell.ring()
    }
  }
  socket.onBytes((bytes) => {
    if (!open || waiting.length + bytes.length > inputLimit) return
    waiting.push(...bytes)
    if (typing) return
    type()
      .catch((error: unknown) =>
        services.log.error({ err: error, vmm: vmmId }, 'typing on a serial console failed'),
      )
      .finally(() => {
        typing = false
      })
  })
  return () => {
    open = false
  }
}

async function send(services: Services, vmmId: string, socket: ByteSocket, at: number): Promise<number> {
  const { from, bytes } = await services.fleet.readSerial(services.db, vmmId, at, frameBytes)
  if (bytes.length > 0) socket.send(bytes)
  return Math.max(at, from + bytes.length)
}

const instanceOf = (
  services: Services,
  vmmId: string,
): Promise<Pick<Row<'instance'>, 'run_state'> | undefined> =>
  services.db
    .selectFrom('vmm')
    .innerJoin('instance', 'instance.id', 'vmm.instance_id')
    .select('instance.run_state')
    .where('vmm.id', '=', vmmId)
    .where('vmm.time_gone', 'is', null)
    .executeTakeFirst()
