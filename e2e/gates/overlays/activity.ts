import { fill, inMenu, inRow, type Overlays, press, sleeper, type Step, tick } from './steps.ts'

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
  'features/tags/TagsDialog.tsx': [
    ['/projects/:project/disks', 'Edit tags', inRow('spare', 'Edit tags')],
    [`${sleeper}/storage`, 'Edit tags', inMenu('Instance actions', 'Edit tags')],
  ],
  'features/tags/BulkTagsDialog.tsx': [
    ['/projects/:project/instances', /^Edit tags of/, tick('sleeper'), press('Edit tags')],
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
