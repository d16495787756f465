import type { Area } from './area.ts'

/** Two instances in one group, which hears any source. */
export const multicast: Area = {
  name: 'multicast groups',
  screens: [
    ['multicast groups', '/multicast-groups', true, ['link', 'tides']],
    ['multicast group', '/multicast-groups/tides', true, ['heading', 'tides']],
  ],
  furnish: async ({ api, project }) => {
    const pools = '/v1/system/ip-pools'
    const { items } = (await api('admin', 'GET', `${pools}?limit=1000`)) as { items: { name: string }[] }
    if (!items.some(({ name }) => name === 'groups')) {
      await api('admin', 'POST', pools, { name: 'groups', description: '', pool_type: 'multicast' })
      await api('admin', 'POST', `${pools}/groups/ranges/add`, { first: '224.10.0.1', last: '224.10.0.99' })
      await api('admin', 'POST', `${pools}/groups/silos`, { silo: 'demo', is_default: true })
    }
    await api('member', 'POST', `/v1/instances?project=${project}`, {
      name: 'listener',
      description: '',
      hostname: 'listener',
      ncpus: 1,
      memory: 1024 ** 3,
      start: false,
    })
    await api('member', 'PUT', `/v1/instances/listener/multicast-groups/tides?project=${project}`, {})
  },
}
