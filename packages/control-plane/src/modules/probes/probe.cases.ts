import type { probeOps } from '@gantry/api/network/probe'
import { atlas, id, named, plain, project } from '../../testing/case-values.ts'
import { type CasesOf, on } from '../../testing/operation-case.ts'

const probe = { path: { probe: 'nobody' }, query: project }

export const probeCases: CasesOf<typeof probeOps> = {
  probeList: {
    sent: { query: project },
    rule: { needs: 'list_children', of: 'probe', hidden: true, in: 'demo', seenAs: 'project' },
    allowed: () => [`/experimental/v1/probes?${atlas}`],
  },
  probeCreate: {
    sent: { query: project, body: { ...named, sled: id, ip_pool: 'nowhere' } },
    rule: { needs: 'create_child', of: 'probe', hidden: true, in: 'demo', seenAs: 'project' },
    allowed: ({ ids }) => [`/experimental/v1/probes?${atlas}`, { ...plain(), sled: ids.sled }],
  },
  probeView: {
    sent: probe,
    rule: on('read', 'probe'),
    allowed: () => [`/experimental/v1/probes/probe?${atlas}`],
  },
  probeDelete: {
    sent: probe,
    rule: on('modify', 'probe'),
    allowed: () => [`/experimental/v1/probes/probe?${atlas}`],
  },
  probeStatusList: {
    sent: { query: project },
    rule: { needs: 'list_children', of: 'probe', hidden: true, in: 'demo', seenAs: 'project' },
    allowed: () => [`/ext/v1/probes?${atlas}`],
  },
}
