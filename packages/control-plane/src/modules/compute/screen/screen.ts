import { startedWithoutScreen, whyNoScreen } from '@gantry/api/compute/screen.rules'
import { permits } from '@gantry/control-plane/authz/policy'
import type { ByteSocket } from '@gantry/control-plane/environment'
import type { Cx } from '@gantry/control-plane/context/cx'
import { newUuid } from '@gantry/control-plane/context/ids'
import { needCapability } from '@gantry/control-plane/fleet/capabilities'
import { need, type Selectors } from '@gantry/control-plane/lookup/need'
import { allowListGuard } from '@gantry/control-plane/pipeline/allow-list'
import { Upgraded } from '@gantry/control-plane/pipeline/implement'
import { ConnectionAccess } from '@gantry/control-plane/stream/connection-access'
import { auditedConsole } from '../serial/console-audit.ts'
import { mayNotStay } from '../serial/serial-lines.ts'
import { failed, screenViewers } from './screen-viewers.ts'

/**
 * Handles an upgrade, with the rights of a serial console. A screen that cannot be shown is still upgraded and then
 * closed with the reason, because a browser cannot read a refused upgrade.
 */
export async function openScreen(
  cx: Cx,
  selectors: Selectors,
  query: { view_only?: boolean | null | undefined },
): Promise<Upgraded> {
  const { row, location } = await need(cx, 'instance', selectors, 'modify')
  const { services, raw } = cx
  needCapability(services.fleet, 'screens')
  const { credential, user_id: userId, display_name: name } = cx.user()
  const access =
    raw &&
    credential &&
    new ConnectionAccess(services, raw, credential, (user) => permits(user, 'modify', location))
  const { vmm_id: vmmId } = row
  const viewers = screenViewers(services)
  const viewer = { id: newUuid(services.random), name, since: cx.now() }
  return new Upgraded(async (socket) => {
    const problem = whyNoScreen(row.run_state)
    if (problem || !vmmId) return socket.close(1011, problem ?? 'instance has no screen')
    const full = viewers.reserve(viewer.id, userId)
    if (full) return socket.close(1013, full)
    try {
      await show(vmmId, socket)
    } catch (error) {
      services.log.error({ err: error, vmm: vmmId }, 'a screen could not be opened')
      socket.close(1011, failed)
    } finally {
      viewers.release(viewer.id)
    }
  })

  async function show(machineId: string, socket: ByteSocket): Promise<void> {
    let hasLeft = false
    socket.onClose(() => (hasLeft = true))
    const full = await viewers.enter({ ...viewer, vmmId: machineId }, query.view_only ?? false)
    if (full) return socket.close(1013, full)
    const line = hasLeft ? undefined : await services.fleet.screens?.open(machineId, viewers.wake)
    if (!line || hasLeft) {
      line?.close()
      await viewers.leave(machineId, viewer.id)
      return socket.close(1011, startedWithoutScreen)
    }
    const open = (counted: ByteSocket): void => {
      viewers.watch({ ...viewer, vmmId: machineId, socket: counted, line, access })
      const forget = allowListGuard(services).watch({
        address: cx.request.address,
        end: () => counted.close(1008, mayNotStay),
      })
      counted.onClose(forget)
    }
    await auditedConsole(cx, row, socket, open, 'screen')
  }
}
