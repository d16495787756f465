import type { Area } from './area.ts'

const pool = '/system/networking/subnet-pools/external'

export const subnetPools: Area = {
  name: 'subnet pools',
  forFleetViewers: true,
  screens: [
    ['subnet pools', '/system/networking/subnet-pools', true, ['link', 'external']],
    ['new subnet pool', '/system/networking/subnet-pools-new', true, ['button', 'Create subnet pool']],
    ['subnet pool', pool, true, ['link', 'Add member']],
    ['edit subnet pool', `${pool}/edit`, true, ['button', 'Update subnet pool']],
    ['add member of a subnet pool', `${pool}/members-add`, true, ['button', 'Add member']],
    ['subnet pool, linked silos', `${pool}?tab=silos`, true, ['button', 'Link silo']],
  ],
}
