import { chargeLast } from '../../silo/quota.ts'
import { makeDigestLater } from '../../storage/image-digest.ts'
import type { Parts } from '../parts.ts'
import { holdParent, nameFor, restorer } from './restorer.ts'

export const disk = restorer('disk', async ({ tx, item, row, name }) => {
  await holdParent(tx, 'project', row.project_id)
  await tx.restore('disk', row, { name, instance_id: null, slot: null })
  chargeLast(tx, { silo_id: item.silo_id, project_id: row.project_id }, { storage: row.size }, row.size)
})

export const snapshot = restorer('snapshot', async ({ tx, item, row, name }) => {
  await holdParent(tx, 'project', row.project_id)
  await tx.restore('snapshot', row, { name })
  chargeLast(tx, { silo_id: item.silo_id, project_id: row.project_id }, { storage: row.size }, row.size)
})

/** With the snapshots of its disks, under other names where theirs have been taken. */
export const instanceSnapshot = restorer<'instance_snapshot', Parts>(
  'instance_snapshot',
  async ({ tx, item, row, name, kept }) => {
    const { silo_id } = item
    const { project_id, size } = row
    await holdParent(tx, 'project', project_id)
    await tx.restore('instance_snapshot', row, { name })
    for (const id of kept.removed?.snapshot ?? []) {
      const member = await tx.lockDeleted('snapshot', id)
      if (!member) continue
      const free = await nameFor(tx, 'snapshot', member, { asked: undefined, isPlan: true })
      await tx.restore('snapshot', member, { name: free })
    }
    chargeLast(tx, { silo_id, project_id }, { storage: size }, size)
  },
)

export const image = restorer('image', async ({ tx, row, name }) => {
  if (row.project_id) await holdParent(tx, 'project', row.project_id)
  const restored = await tx.restore('image', row, { name })
  if (!restored.digest) await makeDigestLater(tx, restored)
})
