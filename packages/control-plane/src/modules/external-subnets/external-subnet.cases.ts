import type { externalSubnetOps } from '@gantry/api/network/external-subnet'
import { atlas, fresh, named, project } from '@gantry/control-plane/testing/case-values'
import {
  type CasesOf,
  createInProject,
  type Given,
  listProject,
  modifyChild,
  readChild,
} from '@gantry/control-plane/testing/operation-case'

const subnet = { path: { external_subnet: 'nobody' }, query: project }
const anywhere = { allocator: { type: 'auto', prefix_length: 29 } }
const create = `/v1/external-subnets?${atlas}`
const route = (name: string, more = '') => `/v1/external-subnets/${name}${more}?${atlas}`

export const externalSubnetCases: CasesOf<typeof externalSubnetOps> = {
  externalSubnetList: { sent: { query: project }, rule: listProject, allowed: () => [create] },
  externalSubnetCreate: {
    sent: {
      query: project,
      body: {
        ...named,
        allocator: {
          type: 'auto',
          prefix_length: 28,
          pool_selector: { type: 'explicit', pool: 'nowhere' },
        },
      },
    },
    rule: createInProject,
    allowed: () => [create, { name: fresh(), description: '', ...anywhere }],
  },
  externalSubnetView: {
    sent: subnet,
    rule: readChild,
    allowed: () => [route('routed')],
    addressed: [
      'external_subnet',
      'external-subnet',
      ['project'],
      'when providing external_subnet as an ID project should not be specified',
      'external_subnet should either be UUID or project should be specified',
    ],
  },
  externalSubnetUpdate: {
    sent: { ...subnet, body: { description: 'x' } },
    rule: modifyChild,
    allowed: () => [route('routed'), { description: fresh() }],
  },
  externalSubnetDelete: {
    sent: subnet,
    rule: modifyChild,
    allowed: async ({ made, owner }) => [
      route(await made(create, { name: fresh(), description: '', ...anywhere }, owner)),
    ],
  },
  externalSubnetAttach: {
    sent: { ...subnet, body: { instance: 'nobody' } },
    rule: modifyChild,
    allowed: () => [route('routed', '/attach'), { instance: 'web' }],
  },
  externalSubnetDetach: {
    sent: subnet,
    rule: modifyChild,
    allowed: () => [route('routed', '/detach')],
  },
  instanceExternalSubnetList: {
    sent: { path: { instance: 'nobody' }, query: project },
    rule: readChild,
    allowed: () => [`/v1/instances/web/external-subnets?${atlas}`],
  },
}

export const externalSubnetGiven: Given = {
  external_subnet: ({ at, the }) => [`/v1/external-subnets?${at}`, { ...the, ...anywhere }],
}
