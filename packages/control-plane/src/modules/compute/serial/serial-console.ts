import { type RunState, instanceAllows } from '@gantry/api/compute/instance.rules'
import { allows } from '@gantry/api/base/state.rules'
import { permits } from '@gantry/control-plane/authz/policy'
import { ConnectionAccess } from '@gantry/control-plane/stream/connection-access'
import type { ByteSocket } from '@gantry/control-plane/environment'
import type { Cx } from '@gantry/control-plane/context/cx'
import type { Services } from '@gantry/control-plane/context/services'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { invalid } from '@gantry/control-plane/context/refusal'
import { auditedConsole } from './console-audit.ts'
import { mayNotStay, serialLines } from './serial-lines.ts'
import { allowListGuard } from '@gantry/control-plane/pipeline/allow-list'
import { Upgraded } from '@gantry/control-plane/pipeline/implement'

/** Default maximum of bytes in one response of the one-shot read (control plane reference, B 4.5). */
const defaultMaxBytes = 16 * 1024
/** Buffered keystrokes in bytes: an overloaded line drops input. */
const inputLimit = 64 * 1024

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
  const { row } = await need(cx, 'instance', at, 'read')
  const given = [from_start, most_recent].filter((offset) => offset !== null && offset !== undefined)
  if (given.length !== 1) throw invalid('exactly one of from_start and most_recent must be given')
  const problem = consoleProblem(row.run_state, row.vmm_id !== null)
  if (problem || !row.vmm_id) throw invalid(problem ?? '', 'Start the instance first.')
  const written = await writtenBy(cx, row.vmm_id)
  const wanted = from_start ?? Math.max(0, written - (most_recent ?? 0))
  if (wanted >= written) return { data: [], last_byte_offset: written }
  const { from, bytes } = await cx.services.fleet.serial.read(
    row.vmm_id,
    wanted,
    max_bytes ?? defaultMaxBytes,
  )
  if (from !== wanted)
    throw invalid('that part of the output is no longer available', `Read from byte ${from}.`)
  return { data: [...bytes], last_byte_offset: from + bytes.length }
}

/** Bytes that the VM has printed by now. */
async function writtenBy({ services }: Cx, vmmId: string): Promise<number> {
  return (await services.fleet.serial.written([vmmId])).get(vmmId) ?? 0
}

/**
 * Handles an upgrade. A console that cannot be opened is still upgraded and then closed with the reason,
 * because a browser cannot read a refused upgrade (control plane reference, B 4.6).
 */
export async function openConsole(
  cx: Cx,
  selectors: Selectors,
  query: { most_recent?: number | null | undefined },
): Promise<Upgraded> {
  const { row, location } = await need(cx, 'instance', selectors, 'modify')
  const problem = consoleProblem(row.run_state, row.vmm_id !== null)
  const { services, raw } = cx
  const { credential } = cx.user()
  const access =
    raw &&
    credential &&
    new ConnectionAccess(services, raw, credential, (user) => permits(user, 'modify', location))
  const { vmm_id: vmmId } = row
  // Read before the connection opens, so that early keystrokes are not missed.
  const written = problem || !vmmId ? 0 : await writtenBy(cx, vmmId)
  const at = Math.max(0, written - (query.most_recent ?? written))
  const userId = cx.user().user_id
  const lines = serialLines(services)
  return new Upgraded(async (socket) => {
    if (problem || !vmmId) return socket.close(1011, problem ?? '')
    const full = lines.whyFull(vmmId, userId)
    if (full) return socket.close(1013, full)
    await auditedConsole(cx, row, socket, (counted) => {
      listen(services, vmmId, counted, access)
      lines.watch(vmmId, { socket: counted, userId, at, access })
      const forget = allowListGuard(services).watch({
        address: cx.request.address,
        end: () => counted.close(1008, mayNotStay),
      })
      counted.onClose(forget)
    })
  })
}

/**
 * Keystrokes are processed in order; those that arrive meanwhile are batched. Before each batch the user must still be
 * signed in and have the role: one statement.
 */
function listen(
  services: Services,
  vmmId: string,
  socket: ByteSocket,
  access: ConnectionAccess | undefined,
): void {
  let waiting: number[] = []
  let typing = false
  let open = true
  const type = async (): Promise<void> => {
    typing = true
    while (waiting.length > 0) {
      if (access && !(await access.holds())) return socket.close(1008, mayNotStay)
      const bytes = Uint8Array.from(waiting)
      waiting = []
      await services.fleet.serial.write(vmmId, bytes)
    }
  }
  socket.onBytes((bytes) => {
    if (!open || waiting.length + bytes.length > inputLimit) return
    waiting.push(...bytes)
    if (typing) return
    type()
      .catch((error: unknown) =>
        services.log.error({ err: error, vmm: vmmId }, 'could not send input to a serial console'),
      )
      .finally(() => {
        typing = false
      })
  })
  socket.onClose(() => {
    open = false
    waiting = []
  })
}
