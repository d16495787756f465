import type { Area } from './area.ts'

export const inventory: Area = {
  name: 'inventory',
  forFleetViewers: true,
  screens: [
    ['instances of all silos', '/system/instances', true, ['button', 'Export']],
    ['sleds', '/system/inventory/sleds', true, ['link', 'GS-001']],
    ['sled', '/system/inventory/sleds/:sled/instances', true, ['heading', 'Sled GS-001']],
    ['sled disks', '/system/inventory/sleds/:sled/disks', true, ['heading', 'Sled GS-001']],
    ['sled, drained', '/system/inventory/sleds/:drained/instances', true, ['heading', 'Drain done']],
    ['sled, lost', '/system/inventory/sleds/:lost/instances', true, ['heading', '11 instances ran here']],
    ['rack', '/system/inventory/racks', true, ['link', 'GS-001']],
    ['disks of sleds', '/system/inventory/disks', true, ['heading', 'Inventory']],
    ['switches', '/system/inventory/switches', true, ['heading', 'Inventory']],
  ],
  furnish: async ({ api, fill }) => {
    const drains = fill('/ext/v1/system/sleds/:drained/drains')
    const { items } = (await api('admin', 'GET', drains)) as { items: unknown[] }
    if (items.length === 0) await api('admin', 'POST', drains, { mode: 'stop' })
  },
}
