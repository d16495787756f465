import { siloDnsName } from '@gantry/api/people/silo.rules'
import type { Cx } from '@gantry/control-plane/context/cx'
import { need } from '@gantry/control-plane/lookup/need'
import { isSecure, ownOrigin } from '@gantry/control-plane/context/origin'

/** The zone of a server that was started without one. */
const noZone = 'localhost'

/** The silo's own host name if the operator has set a zone, or else the address in use. */
export async function acsOrigin(cx: Cx, selector: string): Promise<{ origin: string }> {
  const { row: silo } = await need(cx, 'silo', { silo: selector }, 'read')
  const { raw, services } = cx
  if (!raw) throw new Error('an operation comes with a request')
  const origin = ownOrigin(services, raw)
  const { dnsZone } = services
  if (dnsZone === noZone) return { origin }
  const { port } = new URL(origin)
  const scheme = isSecure(services, raw) ? 'https' : 'http'
  return { origin: `${scheme}://${siloDnsName(silo.name, dnsZone)}${port && `:${port}`}` }
}
