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
