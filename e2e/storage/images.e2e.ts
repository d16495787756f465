import type { Page } from '@playwright/test'
import { choose, confirm, notifications, row, rowAction, withoutReload } from '../support/steps.ts'
import { scenesIn } from '../support/scenes.ts'
import { story } from '../support/target.ts'
import { expect, test } from '../support/test.ts'

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test(
  'a user promotes an image to the silo, demotes it and deletes it',
  story,
  async ({ open, project, api }) => {
    const name = `${project}-disc`
    const scenes = scenesIn(api, project)
    await scenes.disk('data')
    const { id } = await scenes.snapshot('snap', 'data')
    await scenes.image(name, id)
    const page = await open('member', `/projects/${project}/images`)
    await row(page, name).getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(/Shared withProject/)
    await expect(page.getByRole('main')).toContainText(/OSPlan 9/)
    await expect(page.getByRole('main')).toContainText('1 GiB')
    await expect(page).toHaveTitle(new RegExp(`^${name} / Images / `))
    await page.goBack()

    await rowAction(page, name, 'Promote')
    await expect(dialog(page, 'Promote image')).toContainText('visible to all projects in the silo')
    await dialog(page, 'Promote image').getByRole('button', { name: 'Promote' }).click()
    await expect(notifications(page)).toContainText(`Image ${name} promoted`)
    await expect(page.getByRole('heading', { name: 'No images' })).toBeVisible()
    await withoutReload(page, async () => {
      await notifications(page).getByRole('link', { name: 'View silo images' }).click()
      await expect(page.getByRole('heading', { name: 'Silo Images', exact: true })).toBeVisible()
    })

    await row(page, name).getByRole('link', { name }).click()
    await expect(page.getByRole('main')).toContainText(/Shared withSilo/)
    await page.goBack()
    await rowAction(page, name, 'Demote')
    const demote = dialog(page, 'Demote image')
    await demote.getByRole('button', { name: 'Demote' }).click()
    await expect(demote.getByRole('combobox')).toHaveAccessibleDescription('Project is required')
    await choose(page, 'Project', new RegExp(`^${project}`))
    await demote.getByRole('button', { name: 'Demote' }).click()
    await expect(notifications(page)).toContainText(`Image ${name} demoted`)
    await notifications(page)
      .getByRole('link', { name: `View images in ${project}` })
      .click()
    await expect(page.getByRole('heading', { name: 'Project Images', exact: true })).toBeVisible()
    await rowAction(page, name, 'Delete')
    await expect(dialog(page, 'Confirm delete image')).toContainText(name)
    await confirm(page)
    await expect(notifications(page)).toContainText(`Image ${name} deleted`)
    await expect(page.getByRole('heading', { name: 'No images' })).toBeVisible()
  },
)

test('an image can be promoted from the silo, and a taken name keeps the dialog open', async ({
  open,
  project,
  api,
}) => {
  const scenes = scenesIn(api, project)
  await scenes.disk('data')
  const { id } = await scenes.snapshot('snap', 'data')
  await scenes.image('alpine-3-22', id)
  await scenes.image(`${project}-new`, id)
  await api('member', 'POST', '/v1/projects', { name: `${project}-empty`, description: '' })
  const page = await open('member', '/images')
  await page.getByRole('button', { name: 'Promote image' }).click()
  const promote = dialog(page, 'Promote image')
  const image = promote.getByRole('combobox', { name: 'Image' })
  await expect(image).toBeDisabled()
  await choose(page, 'Project', new RegExp(`^${project}-empty`))
  await expect(image).toBeDisabled()
  await expect(image).toHaveAttribute('placeholder', 'No items')
  await choose(page, 'Project', new RegExp(`^${project}(?!-empty)`))
  await expect(image).toBeEnabled()
  await promote.getByRole('button', { name: 'Promote' }).click()
  await expect(image).toHaveAccessibleDescription('Image is required')
  await choose(page, 'Image', /^alpine-3-22/)
  await promote.getByRole('button', { name: 'Promote' }).click()
  await expect(promote.getByRole('alert')).toContainText(/already exists/)
  // A complete name needs no selection.
  await image.fill(`${project}-new`)
  await promote.getByRole('heading', { name: 'Promote image' }).click()
  await expect(image).toHaveValue(`${project}-new`)
  await promote.getByRole('button', { name: 'Promote' }).click()
  await expect(notifications(page)).toContainText(`Image ${project}-new promoted`)
  await rowAction(page, `${project}-new`, 'Delete')
  await confirm(page)
  await expect(row(page, `${project}-new`)).toBeHidden()
})

test('a viewer can neither promote, demote nor delete images', async ({ open }) => {
  const page = await open('viewer', '/images')
  await expect(page.getByRole('button', { name: 'Promote image' })).toBeDisabled()
  await row(page, 'alpine-3-22')
    .getByRole('button', { name: /^Actions for / })
    .click()
  for (const action of ['Demote', 'Delete'])
    await expect(page.getByRole('menuitem', { name: action })).toHaveAccessibleDescription(/role/i)
})

test(
  'a user chooses UEFI and devices without virtio for an image, and sees why it booted by a BIOS',
  story,
  async ({ open, project, api }) => {
    const scenes = scenesIn(api, project)
    await scenes.disk('data')
    const { id } = await scenes.snapshot('snap', 'data')
    await scenes.image('installer', id)
    const page = await open('member', `/projects/${project}/images/installer`)
    const main = page.getByRole('main')
    await expect(main).toContainText(/FirmwareBIOSIt has no partition table/)
    await expect(main).toContainText(/Devicesvirtio disks, virtio network/)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Change hardware' }).click()
    const form = dialog(page, 'Change hardware')
    await form.getByRole('radio', { name: 'UEFI' }).check()
    await form.getByRole('checkbox', { name: /^Secure boot/ }).check()
    await form.getByRole('checkbox', { name: /^Security chip/ }).check()
    await form.getByRole('radio', { name: 'SATA' }).check()
    await form.getByRole('radio', { name: 'e1000' }).check()
    await form.getByRole('button', { name: 'Change hardware' }).click()
    await expect(form).toBeHidden()
    await expect(main).toContainText(/FirmwareUEFI with secure bootChosen for the image/)
    await expect(main).toContainText(/DevicesSATA disks, e1000 network, TPM 2.0/)
  },
)
