import { chargeLast } from '../../silo/quota.ts'
import { makeDigestLater } from '../../storage/image-digest.ts'
import { holdParent, restorer } from './restorer.ts'

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

export const image = restorer('image', async ({ tx, row, name }) => {
  if (row.project_id) await holdParent(tx, 'project', row.project_id)
  const restored = await tx.restore('image', row, { name })
  if (!restored.digest) await makeDigestLater(tx, restored)
})
