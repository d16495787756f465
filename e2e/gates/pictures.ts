import { expect, type Page } from '@playwright/test'
import { type Api, scenesIn, withMemory } from '../support/scenes.ts'
import { furnish } from '../support/screens.ts'
import { confirm, rowAction } from '../support/steps.ts'

type Step = (page: Page) => Promise<unknown>

export interface Picture {
  name: string
  path: string
  /** Shown to a visitor who is not signed in. */
  isStranger?: true
  /** The element that shows that the screen is complete. */
  shown: readonly [role: 'button' | 'link' | 'heading' | 'option' | 'checkbox', name: string | RegExp]
  steps?: readonly Step[]
  /** Contains several times more text than others, and text is what browsers render differently. */
  isAllLetters?: true
  /** Also taken at 360 px. */
  isNarrowToo?: true
}

const walker = '/projects/atlas/instances/walker'
const vpc = '/projects/atlas/vpcs/default'

/** The main screens, each in its initial state unless steps are given. */
export const pictures: readonly Picture[] = [
  {
    name: 'sign-in',
    path: '/login/demo/local',
    isStranger: true,
    shown: ['button', 'Sign in'],
    isNarrowToo: true,
  },
  { name: 'projects', path: '/projects', shown: ['heading', 'Your last activity'] },
  {
    name: 'instances',
    path: '/projects/atlas/instances',
    shown: ['checkbox', 'Select walker'],
    isNarrowToo: true,
  },
  { name: 'empty', path: '/projects/bare/instances', shown: ['heading', 'No instances'] },
  { name: 'instance', path: `${walker}/storage`, shown: ['heading', 'Additional disks'], isNarrowToo: true },
  { name: 'networking', path: `${walker}/networking`, shown: ['link', /apply to this instance/] },
  {
    name: 'new-instance',
    path: '/projects/atlas/instances-new',
    shown: ['heading', 'Quota headroom'],
    isNarrowToo: true,
  },
  { name: 'new-disk', path: '/projects/atlas/disks-new', shown: ['button', 'Create disk'] },
  { name: 'firewall', path: `${vpc}/firewall-rules`, shown: ['button', 'Check packet'], isNarrowToo: true },
  {
    name: 'documentation',
    path: '/docs/unreachable-instance',
    shown: ['heading', 'Ask the packet check'],
    isNarrowToo: true,
    isAllLetters: true,
  },
  { name: 'map', path: `${vpc}/map`, shown: ['link', /^walker/] },
  { name: 'access', path: '/projects/atlas/access', shown: ['button', 'Add user or group'] },
  // Before the rack was set up, where nothing changes from run to run.
  {
    name: 'metrics',
    path: `${walker}/metrics/disk?from=2026-01-01T00:00:00Z&to=2026-01-01T01:00:00Z`,
    shown: ['heading', 'Disk Flushes'],
    isNarrowToo: true,
  },
  {
    name: 'utilization',
    path: '/utilization?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    shown: ['heading', 'Storage (TiB)'],
  },
  {
    name: 'palette',
    path: '/projects/atlas/instances',
    shown: ['option', /walker/],
    steps: [
      (page) => expect(page.getByRole('checkbox', { name: 'Select walker' })).toBeVisible(),
      (page) => page.keyboard.press('Control+k'),
      (page) => page.getByRole('combobox', { name: 'Search' }).fill('wa'),
    ],
    isNarrowToo: true,
  },
  {
    name: 'delete',
    path: '/projects/atlas/disks',
    shown: ['button', 'Confirm'],
    steps: [(page) => rowAction(page, 'spare', 'Delete')],
  },
  {
    name: 'refused',
    path: '/projects/atlas/instances',
    shown: ['link', 'View instance'],
    steps: [
      (page) => rowAction(page, 'giant', 'Start'),
      confirm,
      // It stays while the pointer is over it.
      (page) => page.getByRole('link', { name: 'View instance' }).hover(),
    ],
  },
  {
    name: 'serial-console',
    path: `${walker}/serial-console`,
    shown: ['button', 'Scroll to bottom'],
    steps: [(page) => expect(page.getByRole('application')).toContainText('walker login:')],
    isAllLetters: true,
  },
  {
    name: 'system',
    path: '/system',
    shown: ['heading', 'Issues by cause'],
    // It arrives with the change stream and covers the bottom of the page.
    steps: [(page) => expect(page.getByRole('complementary', { name: 'Simulated rack' })).toBeVisible()],
    isNarrowToo: true,
  },
  {
    name: 'system-utilization-metrics',
    path: '/system/utilization?tab=metrics&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    shown: ['heading', 'Memory'],
    isNarrowToo: true,
  },
  { name: 'system-utilization', path: '/system/utilization', shown: ['heading', 'Capacity estimate'] },
  { name: 'sleds', path: '/system/inventory/sleds', shown: ['link', 'GS-001'], isNarrowToo: true },
  {
    name: 'ip-pools',
    path: '/system/networking/ip-pools',
    shown: ['link', 'lagoon-public'],
    isNarrowToo: true,
  },
  { name: 'silo-quotas', path: '/system/silos/lagoon/quotas', shown: ['button', 'Edit quotas'] },
  { name: 'new-silo', path: '/system/silos-new', shown: ['button', 'Create silo'] },
  { name: 'not-found', path: '/no/such/page', shown: ['heading', 'Page not found'] },
]

/** Their contents: the same in every run, on a server without other data. */
export async function furnishPictures(api: Api): Promise<void> {
  for (const [name, description] of [
    ['atlas', 'web shop and its databases'],
    ['bare', ''],
  ])
    await api('admin', 'POST', '/v1/projects', { name, description })
  await furnish(api, 'atlas')
  await scenesIn(api, 'atlas').disk('spare')
  await withMemory(api, () =>
    api('member', 'POST', '/v1/instances?project=atlas', {
      name: 'giant',
      description: 'more memory than any sled has',
      hostname: 'giant',
      ncpus: 2,
      memory: 1536 * 1024 ** 3,
      boot_disk: {
        type: 'create',
        name: 'giant-boot',
        description: '',
        size: 1024 ** 3,
        disk_source: { type: 'blank', block_size: 512 },
      },
    }),
  )
  for (const [name, state] of [
    ['walker', 'running'],
    ['giant', 'failed'],
  ])
    await expect
      .poll(async () => {
        const instance = await api('member', 'GET', `/v1/instances/${name}?project=atlas`)
        return (instance as { run_state: string }).run_state
      })
      .toBe(state)
}
