import type { Api } from './scenes.ts'

/** Creates a probe on a sled that is in service. */
export async function probeIn(api: Api, project: string, name: string): Promise<void> {
  const { items } = (await api('admin', 'GET', '/v1/system/hardware/sleds')) as {
    items: { id: string; baseboard: { serial: string } }[]
  }
  const sled = items.find(({ baseboard }) => baseboard.serial === 'GS-001')?.id
  await api('admin', 'POST', `/experimental/v1/probes?project=${project}`, { name, description: '', sled })
}
