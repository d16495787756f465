import type { instanceHardwareOps } from '@gantry/api/compute/instance-hardware'
import { atlas, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild, readChild } from '@gantry/control-plane/testing/operation-case'

const sent = { path: { instance: 'nobody' }, query: project }

export const instanceHardwareCases: CasesOf<typeof instanceHardwareOps> = {
  instanceHardwareView: {
    sent,
    rule: readChild,
    allowed: () => [`/ext/v1/instances/web/hardware?${atlas}`],
  },
  instanceHardwareUpdate: {
    sent: { ...sent, body: { chosen: { clock: 'local' } } },
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/hardware?${atlas}`, { chosen: { clock: 'local' } }],
  },
  instanceCdsUpdate: {
    sent: { ...sent, body: { cds: [] } },
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/cds?${atlas}`, { cds: [] }],
  },
}
