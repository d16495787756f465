import { withoutFirstAnswers } from '../../support/steps.ts'
import { inMenu, inRow, press, type Overlays, type Step } from './steps.ts'

/** Mocks the reported status of the update: one component failed, or the update is suspended. */
const withUpdate =
  (component: object, status: object = {}): Step =>
  async (page) => {
    await withoutFirstAnswers(page)
    await page.route('**/ext/v1/system/update/status', async (route) => {
      const response = await route.fetch()
      const real = (await response.json()) as { components: object[] }
      const [first, ...others] = real.components
      const json = { ...real, ...status, components: [{ ...first, ...component }, ...others] }
      await route.fulfill({ response, json })
    })
    await page.reload()
  }

/** Begins an upload of a release without sending any bytes. */
const withReleaseUpload: Step = async (page) => {
  await page.evaluate(() =>
    fetch('/ext/v1/system/update/uploads', {
      method: 'POST',
      body: JSON.stringify({ file_name: 'release.zip', size: 1024 ** 2 }),
      headers: { 'content-type': 'application/json' },
    }),
  )
  await page.reload()
}

export const updatesOverlays: Overlays = {
  'features/updates/use-release-actions.tsx': [
    ['/system/update', 'Set target release', inMenu('1.1.0 actions', 'Set as target release')],
    ['/system/update', 'Confirm delete release', inMenu('1.1.0 actions', 'Delete')],
  ],
  'features/updates/Attention.tsx': [
    [
      '/system/update',
      'Retry update',
      withUpdate({ state: 'failed', reason: 'The image does not boot.', attempts: 3 }),
      press('Retry update'),
    ],
    ['/system/update', 'Resume update', withUpdate({}, { suspended: true }), press('Resume update')],
    [
      '/system/update',
      'Return to 1.0.0',
      withUpdate(
        { state: 'pending' },
        {
          suspended: true,
          components_by_release_version: { '1.0.0': 29 },
          target_release: { version: '1.1.0', time_requested: new Date().toISOString() },
        },
      ),
      press('Return to 1.0.0'),
    ],
  ],
  'routes/_console/system/_update/route.tsx': [
    ['/system/update', 'Suspend update', withUpdate({ state: 'updating' }), press('Suspend update')],
  ],
  'features/updates/Uploads.tsx': [['/system/update', 'Discard upload', withReleaseUpload, press('Discard')]],
  'features/updates/TrustRoots.tsx': [
    ['/system/update', 'Confirm delete trust root', inRow('[0-9a-f]{8}', 'Delete')],
  ],
  'routes/_console/system/_update/update-upload.tsx': [['/system/update-upload', 'Upload release']],
  'routes/_console/system/_update/update-trust-roots-new.tsx': [
    ['/system/update-trust-roots-new', 'Add trust root'],
  ],
}
