import type { backupTargetOps } from '@gantry/api/backups/backup-target'
import { fresh, id, named } from '../../testing/case-values.ts'
import { type CasesOf, onFleet, openly } from '../../testing/operation-case.ts'
import type { PolicyScene } from '../../testing/policy-scene.ts'

const targets = '/ext/v1/system/backup-targets'
const target = { path: { backup_target: 'nobody' } }
const place = (name: string) => ({
  name,
  description: '',
  store: { type: 'folder', folder: name },
  is_default: false,
})
const freshTarget = ({ made, operator }: PolicyScene): Promise<string> =>
  made(targets, place(fresh()), operator)
export const backupTargetCases: CasesOf<typeof backupTargetOps> = {
  backupTargetList: { sent: {}, rule: openly('list_children', 'fleet'), allowed: () => [targets] },
  backupStoreList: {
    sent: {},
    rule: openly('list_children', 'fleet'),
    allowed: () => ['/ext/v1/system/backup-stores'],
  },
  backupTargetCreate: {
    sent: { body: { ...named, store: { type: 'folder', folder: 'new-one' } } },
    rule: openly('create_child', 'fleet'),
    allowed: () => [targets, place(fresh())],
  },
  backupTargetView: { sent: target, rule: onFleet('read'), allowed: () => [`${targets}/demo-backups`] },
  backupTargetUpdate: {
    sent: { ...target, body: { description: 'elsewhere' } },
    rule: onFleet('modify'),
    allowed: async (scene) => [`${targets}/${await freshTarget(scene)}`, { description: 'elsewhere' }],
  },
  backupTargetDelete: {
    sent: target,
    rule: onFleet('modify'),
    allowed: async (scene) => [`${targets}/${await freshTarget(scene)}`],
  },
  backupTargetTest: {
    sent: target,
    rule: onFleet('modify'),
    allowed: () => [`${targets}/demo-backups/test`],
  },
  backupTargetContents: {
    sent: target,
    rule: onFleet('read'),
    allowed: () => [`${targets}/demo-backups/backups`],
  },
  backupTargetAdopt: {
    sent: { ...target, body: { project: 'nobody', backups: [id] } },
    rule: onFleet('modify'),
    allowed: () => [`${targets}/demo-backups/adopt`, { project: 'atlas', backups: [id] }],
  },
}
