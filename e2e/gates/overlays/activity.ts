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

/** Chooses how many rows a page has, as the list's own setting offers only more. */
const perPage =
  (page_size: number): Step =>
  async (page) => {
    await page.evaluate(
      (body) =>
        fetch('/ext/v1/me/list-preferences/instances', {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      JSON.stringify({ page_size }),
    )
    if (page_size === 1) await page.reload()
  }
const onePerPage = perPage(1)
const allPerPage = perPage(50)

export const activityOverlays: Overlays = {
  'features/activity/RevertDialog.tsx': [['/projects/:project/activity', 'Revert', press('Revert…')]],
  'features/activity/PastDialog.tsx': [
    ['/projects/:project/activity', /as it was$/, press('As it was then')],
  ],
  'features/tags/TagsDialog.tsx': [
    ['/projects/:project/disks', 'Edit tags', inRow('spare', 'Edit tags')],
    [`${sleeper}/storage`, 'Edit tags', inMenu('Instance actions', 'Edit tags')],
  ],
  'features/tags/BulkTagsDialog.tsx': [
    ['/projects/:project/instances', /^Edit tags of/, tick('sleeper'), press('Edit tags')],
    [
      '/all/instances',
      /^Edit tags of all /,
      onePerPage,
      async (page) => {
        await page.getByRole('checkbox', { name: 'Select all on this page' }).first().check()
        await page.getByRole('button', { name: /^Select all .* that match/ }).click()
      },
      press('Edit tags'),
      allPerPage,
    ],
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
