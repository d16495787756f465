import type { Page } from '@playwright/test'
import { row } from '../../support/steps.ts'
import { inRow, press, type Overlays, type Step } from './steps.ts'

/** Asked of the server, because the list may not be there yet. */
async function isInBin(page: Page, project: string | undefined, name: string): Promise<boolean> {
  const answer = await page.request.get(`/ext/v1/recycle-bin?project=${project}`)
  const { items } = (await answer.json()) as { items: { name: string }[] }
  return items.some((item) => item.name === name)
}

/** Has a deleted disk in the bin of the project. */
const withDeleted: Step = async (page) => {
  const project = new URL(page.url()).pathname.split('/')[2]
  if (await isInBin(page, project, 'binned')) return
  const made = await page.request.post(`/v1/disks?project=${project}`, {
    data: { name: 'binned', description: '', size: 2 ** 30, disk_source: { type: 'blank', block_size: 512 } },
  })
  const { id } = (await made.json()) as { id: string }
  for (let status = 0; status !== 204;) status = (await page.request.delete(`/v1/disks/${id}`)).status()
  await row(page, 'binned').waitFor()
}
/** Has a VPC in the bin, whole. */
const withWhole: Step = async (page) => {
  const project = new URL(page.url()).pathname.split('/')[2]
  if (await isInBin(page, project, 'binned-net')) return
  const vpc = { name: 'binned-net', description: '', dns_name: 'binned' }
  const made = await page.request.post(`/v1/vpcs?project=${project}`, { data: vpc })
  const { id: object_id } = (await made.json()) as { id: string }
  const plan = await page.request.get(`/ext/v1/deletion-plans/${object_id}?kind=vpc`)
  const { hash } = (await plan.json()) as { hash: string }
  await page.request.post('/ext/v1/deletions', { data: { kind: 'vpc', object_id, hash } })
  await row(page, 'binned-net').waitFor()
}
const restoreWhole: Step = (page) => page.getByRole('button', { name: 'Restore VPC binned-net' }).click()
const bin = '/projects/:project/recycle-bin'
const restore: Step = (page) => page.getByRole('button', { name: 'Restore disk binned' }).click()

export const recycleBinOverlays: Overlays = {
  'features/recycle-bin/KeptForDialog.tsx': [['/recycle-bin', 'Edit recycle bin', press('Edit')]],
  'features/recycle-bin/Named.tsx': [
    [`${bin}?object=7c9e6679-7425-40de-944b-e07fc1f90ae7`, 'Not in the recycle bin'],
  ],
  'features/recycle-bin/RecycleBinPage.tsx': [
    [bin, 'Empty recycle bin', withDeleted, press('Empty recycle bin')],
    [bin, 'Confirm delete disk', withDeleted, inRow('binned', 'Delete')],
  ],
  'features/recycle-bin/outcome.tsx': [[bin, 'Restore disk', withDeleted, restore]],
  'features/recycle-bin/RestoreDialog.tsx': [[bin, 'Restore disk', withDeleted, restore]],
  'features/recycle-bin/RestoreWholeDialog.tsx': [[bin, 'Restore VPC', withWhole, restoreWhole]],
}
