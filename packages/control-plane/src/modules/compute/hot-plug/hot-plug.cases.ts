import type { hotPlugOps } from '@gantry/api/compute/hot-plug'
import { atlas, project } from '@gantry/control-plane/testing/case-values'
import { type CasesOf, modifyChild } from '@gantry/control-plane/testing/operation-case'

const sent = { path: { instance: 'nobody' }, query: project, body: { disk: 'nobody' } }

export const hotPlugCases: CasesOf<typeof hotPlugOps> = {
  instanceDiskHotAttach: {
    sent,
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/disks/attach?${atlas}`, { disk: 'held' }],
  },
  instanceDiskHotDetach: {
    sent,
    rule: modifyChild,
    allowed: () => [`/ext/v1/instances/web/disks/detach?${atlas}`, { disk: 'loose' }],
  },
}
