import { withoutFirstAnswers } from '../../support/steps.ts'
import { inRow, press, type Overlays, type Step } from './steps.ts'

/** Mocks a drain with many instances left. */
const withDrain: Step = async (page) => {
  const item = {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    sled_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    mode: 'move',
    state: 'running',
    instances: [
      {
        instance: {
          id: '16fd2706-8baf-433b-82eb-8c7fada847da',
          name: 'walker',
          project_name: 'web',
          silo_name: 'demo',
        },
        state: 'pending',
        sled_id: null,
        reason: 'No other sled has room for it.',
      },
    ],
    finished: 0,
    total: 1,
    time_created: '2026-05-04T08:30:00.000Z',
    time_ended: null,
  }
  await withoutFirstAnswers(page)
  await page.route('**/ext/v1/system/sleds/*/drains', (route) => route.fulfill({ json: { items: [item] } }))
  await page.reload()
}

/** A request for a disk that is nowhere. */
const withRequest: Step = async (page) => {
  await page.evaluate(() =>
    fetch('/v1/system/hardware/disk-adoption-request', {
      method: 'PUT',
      body: JSON.stringify({ vendor: 'Norrland', serial: 'X-1', model: 'NU-3200' }),
      headers: { 'content-type': 'application/json' },
    }),
  )
  await page.reload()
}

/** Mocks a change of the members that does not end. */
const withChange: Step = async (page) => {
  await withoutFirstAnswers(page)
  await page.route('**/v1/system/hardware/racks/*/membership', async (route) => {
    const response = await route.fetch()
    const real = (await response.json()) as { members: object[] }
    const [first, ...waiting] = real.members
    const change = { state: 'in_progress', members: [first, ...waiting], unacknowledged_members: waiting }
    await route.fulfill({ response, json: { ...real, ...change } })
  })
  await page.reload()
}

export const inventoryOverlays: Overlays = {
  'routes/_console/system/inventory/_page/sleds.index.tsx': [
    ['/system/inventory/sleds', 'Add sled', inRow('GS-012', 'Add sled')],
  ],
  'features/inventory/UnadoptedDisks.tsx': [
    ['/system/inventory/disks', 'Adopt disk', inRow('NU-77104', 'Adopt disk')],
    ['/system/inventory/disks', 'Withdraw request', withRequest, inRow('X-1', 'Withdraw request')],
  ],
  'features/inventory/rack/MembersCard.tsx': [
    ['/system/inventory/racks', 'Abort change', withChange, press('Abort change')],
  ],
  'features/inventory/drain/DrainCard.tsx': [
    ['/system/inventory/sleds/:sled/instances', 'Cancel drain', withDrain, press('Cancel drain')],
  ],
  'features/inventory/drain/DrainDialog.tsx': [
    ['/system/inventory/sleds', 'Drain sled', inRow('GS-001', 'Drain')],
  ],
  'features/inventory/outage/MarkAsBack.tsx': [
    ['/system/inventory/sleds/:lost/instances', 'Mark sled as back', press('Mark as back…')],
  ],
  'features/inventory/outage/OutageStart.tsx': [
    [
      '/system/inventory/sleds/:lost/instances',
      /^Start \d+ instances? on other sleds$/,
      press('Start on other sleds…'),
    ],
  ],
  'features/inventory/use-sled-actions.tsx': [
    ['/system/inventory/sleds/:lost/instances', 'Remove sled for good', press('Remove for good…')],
    ['/system/inventory/sleds', 'Make not provisionable', inRow('GS-001', 'Make not provisionable')],
  ],
}
