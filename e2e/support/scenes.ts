import { expect } from '@playwright/test'
import type { Stage } from './stage.ts'

const GiB = 1024 ** 3
export type Api = Stage['api']

/**
 * Runs this while the silo may use more memory than any sled has, so that it is the sleds that have no room for a large
 * instance. Tests on the same worker share the quota.
 */
export async function withMemory(api: Api, work: () => Promise<unknown>): Promise<void> {
  const quotas = '/v1/system/silos/demo/quotas'
  const { memory } = (await api('admin', 'GET', quotas)) as { memory: number }
  await api('admin', 'PUT', quotas, { memory: 4096 * GiB })
  try {
    await work()
  } finally {
    await api('admin', 'PUT', quotas, { memory })
  }
}

/** New disks cannot be copied before they have their bytes. */
const backUp = (api: Api, project: string, body: object): Promise<void> =>
  expect(async () => {
    await api('member', 'POST', `/ext/v1/instance-backups?project=${project}`, body)
  }).toPass()

/** Fixtures of storage tests, created through the API. */
export const scenesIn = (api: Api, project: string) => ({
  disk: (name: string, size = GiB) =>
    api('member', 'POST', `/v1/disks?project=${project}`, {
      name,
      description: '',
      size,
      disk_source: { type: 'blank', block_size: 512 },
    }),
  snapshot: (name: string, disk: string, description = '') =>
    api('member', 'POST', `/v1/snapshots?project=${project}`, { name, description, disk }) as Promise<{
      id: string
    }>,
  /** A folder for backups, which the server creates; an earlier test may have added it. */
  async backupTarget() {
    const { items } = (await api('admin', 'GET', '/ext/v1/system/backup-targets')) as {
      items: { name: string }[]
    }
    if (!items.some(({ name }) => name === 'shelf'))
      await api('admin', 'POST', '/ext/v1/system/backup-targets', {
        name: 'shelf',
        description: 'a folder of the server',
        store: { type: 'folder', folder: 'shelf' },
      })
  },
  backup: (name: string, instance: string, more: object = {}) =>
    backUp(api, project, { name, description: '', instance, ...more }),
  /** A target that holds a backup of this instance, which no project lists: it was forgotten, and added again. */
  async leftBackup(instance: string) {
    const targets = '/ext/v1/system/backup-targets'
    const left = {
      name: 'left',
      description: '',
      // Another test may have forgotten a target in a folder that holds its backups.
      store: { type: 'folder', folder: `left-${project}` },
      is_default: false,
    }
    const { items } = (await api('admin', 'GET', targets)) as { items: { name: string }[] }
    if (items.some(({ name }) => name === 'left')) return
    const { encryption_key } = (await api('admin', 'POST', targets, left)) as { encryption_key: string }
    const at = `/ext/v1/instance-backups?project=${project}`
    await backUp(api, project, { name: 'left-behind', description: '', instance, backup_target: 'left' })
    await expect
      .poll(async () => {
        const found = (await api('member', 'GET', at)) as { items: { name: string; state: string }[] }
        return found.items.find(({ name }) => name === 'left-behind')?.state
      })
      .toBe('ready')
    await api('admin', 'DELETE', `${targets}/left`)
    await api('admin', 'POST', targets, { ...left, encryption_key })
  },
  async image(name: string, snapshotId: string) {
    const source = { type: 'snapshot', id: snapshotId }
    await api('member', 'POST', `/v1/images?project=${project}`, {
      name,
      description: 'to look at',
      os: 'Plan 9',
      version: '4',
      source,
    })
  },
})
