import type { Api } from './scenes.ts'

const GiB = 1024 ** 3

/** Creates a silo for a test, by default with local users. */
export async function createSilo(api: Api, name: string, more: object = {}): Promise<void> {
  await api('admin', 'POST', '/v1/system/silos', {
    name,
    description: 'Made for one test',
    discoverable: true,
    identity_mode: 'local_only',
    quotas: { cpus: 8, memory: 8 * GiB, storage: 8 * GiB },
    tls_certificates: [],
    mapped_fleet_roles: { viewer: ['viewer'] },
    ...more,
  })
}
export const deleteSilo = (api: Api, name: string) => api('admin', 'DELETE', `/v1/system/silos/${name}`)
