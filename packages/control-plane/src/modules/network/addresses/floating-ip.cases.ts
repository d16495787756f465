import type { floatingIpOps } from '@gantry/api/network/floating-ip'
import { atlas, fresh, named, project } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInProject,
  listProject,
  modifyChild,
  readChild,
  type Given,
} from '@gantry/control-plane/testing/operation-case'

const floating = { path: { floating_ip: 'nobody' }, query: project }

export const floatingIpCases: CasesOf<typeof floatingIpOps> = {
  floatingIpList: {
    sent: { query: project },
    rule: listProject,
    allowed: () => [`/v1/floating-ips?${atlas}`],
  },
  floatingIpView: {
    sent: floating,
    rule: readChild,
    allowed: () => [`/v1/floating-ips/floating?${atlas}`],
    addressed: [
      'floating_ip',
      'floating-ip',
      ['project'],
      'when providing Floating IP as an ID project should not be specified',
      'Floating IP should either be UUID or project should be specified',
    ],
  },
  floatingIpCreate: {
    sent: { query: project, body: { ...named, ip: '10.0.0.1', pool: 'nowhere' } },
    rule: createInProject,
    allowed: () => [`/v1/floating-ips?${atlas}`, { name: fresh(), description: '' }],
  },
  floatingIpUpdate: {
    sent: { ...floating, body: { description: 'x' } },
    rule: modifyChild,
    allowed: () => [`/v1/floating-ips/floating?${atlas}`, { description: fresh() }],
  },
  floatingIpDelete: { sent: floating, rule: modifyChild, allowed: () => [`/v1/floating-ips/bound?${atlas}`] },
  floatingIpAttach: {
    sent: { ...floating, body: { kind: 'instance', parent: 'nobody' } },
    rule: modifyChild,
    allowed: () => [`/v1/floating-ips/floating/attach?${atlas}`, { kind: 'instance', parent: 'web' }],
  },
  floatingIpDetach: {
    sent: floating,
    rule: modifyChild,
    allowed: () => [`/v1/floating-ips/floating/detach?${atlas}`],
  },
}

export const floatingIpGiven: Given = {
  floating_ip: ({ at, the }) => [`/v1/floating-ips?${at}`, the],
}
