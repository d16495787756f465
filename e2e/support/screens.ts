import { type Fill, placeholdersIn } from './placeholders.ts'
import type { Api } from './scenes.ts'
import type { Screen } from '../screens/area.ts'
import { areas } from '../screens/areas.gen.ts'

/** Every screen by area. */
export const screens: Readonly<Record<string, readonly Screen[]>> = Object.fromEntries(
  areas.map(({ name, screens }) => [name, screens]),
)

/**
 * Creates one of everything, so that screens are not empty; returns a function that fills in a path's
 * placeholders.
 */
export async function furnish(api: Api, project: string): Promise<Fill> {
  await api('member', 'POST', `/v1/anti-affinity-groups?project=${project}`, {
    name: 'apart',
    description: 'keeps its members on different sleds',
    policy: 'allow',
    failure_domain: 'sled',
  })
  await api('member', 'POST', `/v1/affinity-groups?project=${project}`, {
    name: 'together',
    description: 'keeps its members on one sled',
    policy: 'allow',
    failure_domain: 'sled',
  })
  await api('member', 'POST', `/v1/floating-ips?project=${project}`, {
    name: 'buoy',
    description: 'where guests come in',
  })
  await api('member', 'POST', `/v1/instances?project=${project}`, {
    name: 'walker',
    anti_affinity_groups: ['apart'],
    external_ips: [{ type: 'ephemeral' }, { type: 'floating', floating_ip: 'buoy' }],
    description: 'to look at',
    ncpus: 2,
    memory: 2 * 1024 ** 3,
    hostname: 'walker',
    boot_disk: {
      type: 'create',
      name: 'walker-boot',
      description: '',
      size: 1024 ** 3,
      disk_source: { type: 'blank', block_size: 512 },
    },
  })
  const fill = await placeholdersIn(api, project)
  for (const { furnish } of areas) await furnish?.({ api, project, fill })
  return fill
}
