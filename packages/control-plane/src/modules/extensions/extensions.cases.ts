import type { extensionOps } from '@gantry/api/extensions'
import { id } from '../../testing/case-values.ts'
import { type CasesOf, openly } from '../../testing/operation-case.ts'

export const extensionsCases: CasesOf<typeof extensionOps> = {
  changeStream: { sent: {}, rule: 'member', allowed: () => ['/ext/v1/changes'] },
  search: { sent: { query: { text: 'a' } }, rule: 'member', allowed: () => ['/ext/v1/search?text=web'] },
  objectNames: {
    sent: { query: { id } },
    rule: 'member',
    allowed: ({ ids }) => [`/ext/v1/names?id=${ids.project}`],
  },
  faultList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => ['/ext/v1/faults'] },
  faultInject: {
    sent: { body: { kind: 'vm_crash', instance_id: id } },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => ['/ext/v1/faults', { kind: 'vm_crash', instance_id: ids.project }],
    missing: true,
  },
  faultRemove: {
    sent: { path: { fault_id: id } },
    rule: openly('modify', 'fleet'),
    allowed: ({ ids }) => [`/ext/v1/faults/${ids.project}`],
    missing: true,
  },
}
