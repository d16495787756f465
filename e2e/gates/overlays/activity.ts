import { fill, inMenu, inRow, press, sleeper, type Overlays, type Step } from './steps.ts'

/** Against being stopped only, so that the other dialogs about it stay available. */
const protectAgainstStop: Step = async (page) => {
  await inRow('sleeper', 'Protect')(page)
  await page.getByRole('checkbox', { name: 'Delete' }).uncheck()
  await page.getByRole('checkbox', { name: 'Stop or force off' }).check()
  await fill('Reason', 'Holds the payroll')(page)
  await press('Protect')(page)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

export const activityOverlays: Overlays = {
  'features/activity/RevertDialog.tsx': [['/projects/:project/activity', 'Revert', press('Revert…')]],
  'features/activity/PastDialog.tsx': [
    ['/projects/:project/activity', 'As it was then', press('As it was then')],
  ],
  'features/protection/ProtectionDialogs.tsx': [
    ['/projects/:project/disks', 'Protect disk', inRow('spare', 'Protect')],
    [`${sleeper}/storage`, 'Protect instance', inMenu('Instance actions', 'Protect')],
    [
      '/projects/:project/instances',
      'Take protection off',
      protectAgainstStop,
      inRow('sleeper', 'Take protection off'),
    ],
  ],
}
