import { inRow, press, type Overlays, type Step } from './steps.ts'

/** Links a pool that the silo can use but that is not its default. */
const linkSilo: Step = (page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ silo: 'lagoon', is_default: false })
    await fetch('/v1/system/ip-pools/external/silos', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
  })

/** Creates an IP pool without ranges: only such pools can be deleted. */
const makePool: Step = (page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({ name: 'bare', description: '' })
    await fetch('/v1/system/ip-pools', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
  })

export const ipPoolsOverlays: Overlays = {
  'features/system-ip-pools/AddRangeForm.tsx': [
    ['/system/networking/ip-pools/external/ranges-add', 'Add IP range'],
  ],
  'features/system-ip-pools/RangesTab.tsx': [
    ['/system/networking/ip-pools/external', 'Confirm remove range', inRow('198.51.100.1', 'Remove')],
  ],
  'features/silo-links/LinkSiloDialog.tsx': [
    ['/system/networking/ip-pools/external?tab=silos', 'Link silo', press('Link silo')],
  ],
  'features/silo-links/use-link-row-actions.tsx': [
    [
      '/system/networking/ip-pools/external?tab=silos',
      'Make default',
      linkSilo,
      inRow('lagoon', 'Make default'),
    ],
    ['/system/networking/ip-pools/external?tab=silos', 'Clear default', inRow('demo', 'Clear default')],
    ['/system/networking/ip-pools/external?tab=silos', 'Confirm unlink silo', inRow('demo', 'Unlink')],
  ],
  'features/system-ip-pools/parts.tsx': [
    ['/system/networking/ip-pools', 'Confirm delete IP pool', makePool, inRow('bare', 'Delete')],
    [
      '/system/networking/ip-pools',
      'Confirm assignment',
      makePool,
      inRow('bare', 'Assign to system services'),
    ],
  ],
  'routes/_console/system/networking/_ip-pools/ip-pools-new.tsx': [
    ['/system/networking/ip-pools-new', 'Create IP pool'],
  ],
  'routes/_console/system/networking/ip-pools/$pool/edit.tsx': [
    ['/system/networking/ip-pools/external/edit', 'Edit IP pool'],
  ],
}
