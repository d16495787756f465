import { type RunState, instanceAllows } from '@gantry/api/instance.rules'
import { allows } from '@gantry/api/state.rules'
import type { Row } from '../../db/tables.ts'
import type { ByteSocket } from '../../environment.ts'
import { change, type Scope } from '../../kernel/change.ts'
import { type Cx, type Services, systemCx } from '../../kernel/cx.ts'
import { need, type Selectors } from '../../kernel/need.ts'
import { invalid } from '../../kernel/refusal.ts'
import { Bell } from '../../kernel/stream.ts'

/** Most bytes in one answer of the one-shot read, unless asked for fewer (control plane reference, B 4.5). */
const defaultMaxBytes = 16 * 1024
const frameBytes = 64 * 1024
/** Output of other processes is looked for this often; our own rings. */
const pollMs = 120
/** Above this many bytes waiting in a socket nothing more is read for it. */
const highWater = 1024 * 1024

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
  const { row, scope } = await need(cx, 'instance', at, 'modify')
  const problem = consoleProblem(row.run_state, row.vmm_id !== null)
  const { services } = cx
  return (socket) => {
    if (problem || !row.vmm_id) return socket.close(1011, problem ?? '')
    serve(services, { vmmId: row.vmm_id, scope }, socket, query.most_recent ?? undefined).catch(
      (error: unknown) => {
        services.log.error({ err: error, vmm: row.vmm_id }, 'a serial console broke')
        socket.close(1011, 'The serial console broke. Connect again.')
      },
    )
  }
}

async function serve(
  services: Services,
  target: Console,
  socket: ByteSocket,
  mostRecent: number | undefined,
): Promise<void> {
  const gone = new AbortController()
  const stop = AbortSignal.any([gone.signal, services.ending])
  const shared = bells.get(target.vmmId) ?? { bell: new Bell(), viewers: 0 }
  bells.set(target.vmmId, shared)
  shared.viewers++
  socket.onClose(() => gone.abort())
  listen(services, target, socket, shared.bell)
  try {
    let at: number | undefined
    while (!stop.aborted) {
      const row = await instanceOf(services, target.vmmId)
      if (!row || !allows(instanceAllows, 'serialConsole', row.run_state)) {
        // What the machine said last still belongs to the viewer.
        if (at !== undefined && row) await send(services, target.vmmId, socket, at)
        return socket.close(1000, row ? `instance is ${row.run_state}` : 'instance is stopped')
      }
      const written = await advance(services, target)
      at ??= mostRecent === undefined ? 0 : Math.max(0, written - mostRecent)
      const before = at
      if (at < written && socket.buffered() < highWater) at = await send(services, target.vmmId, socket, at)
      if (at >= written || at === before) await shared.bell.wait(pollMs, stop)
    }
    socket.close(1012, 'the server is going away')
  } finally {
    shared.viewers--
    if (shared.viewers === 0) bells.delete(target.vmmId)
  }
}

/** Keystrokes are taken one after the other, in the order in which they came. */
function listen(services: Services, { vmmId, scope }: Console, socket: ByteSocket, bell: Bell): void {
  let turn = Promise.resolve()
  socket.onBytes((bytes) => {
    turn = turn
      .then(() =>
        change(systemCx(services, 'serial-console'), scope, (tx) =>
          services.fleet.typeSerial(tx, vmmId, bytes),
        ),
      )
      .then(() => bell.ring())
      .catch((error: unknown) =>
        services.log.error({ err: error, vmm: vmmId }, 'typing on a serial console failed'),
      )
  })
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
