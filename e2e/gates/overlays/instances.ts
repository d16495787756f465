import {
  fill,
  inMenu,
  inRow,
  inRowWith,
  press,
  sleeper,
  type Step,
  tick,
  walker,
  type Overlays,
} from './steps.ts'

const sharedView = 'shared view'
const openShared: Step = async (page) => {
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitemradio', { name: /^Failed in prod, by/ }).click()
  await page.getByRole('button', { name: sharedView }).waitFor()
}

export const instancesOverlays: Overlays = {
  'features/instances/hardware/CdsCard.tsx': [
    [`${sleeper}/storage`, 'Insert CD', press('Insert CD in drive 1')],
  ],
  'features/instances/hardware/HardwareCard.tsx': [
    [`${sleeper}/settings`, 'Change firmware and devices', press('Change firmware and devices')],
  ],
  'features/instances/create/template/SaveTemplateForm.tsx': [
    ['/projects/:project/instances-new', 'Save as template', press('Save as template')],
  ],
  'features/templates/EditTemplate.tsx': [
    ['/projects/:project/templates/web-server/edit', 'Edit instance template'],
  ],
  'features/templates/use-template-actions.tsx': [
    ['/projects/:project/templates', 'Confirm delete instance template', inRow('web-server', 'Delete')],
  ],
  'features/instances/guest-agent/GuestPasswordDialog.tsx': [
    [`${walker}/connect`, 'Set password in the guest', press('Set password')],
  ],
  'features/instances/guest-agent/GuestKeysDialog.tsx': [
    [`${walker}/connect`, 'Add SSH keys to the guest', press('Add SSH keys')],
  ],
  'features/instances/EditInstance.tsx': [
    [`${sleeper}/storage`, 'Edit instance', inMenu('Instance actions', 'Edit')],
  ],
  'features/instances/snapshots/ExportDialog.tsx': [
    [`${sleeper}/storage`, 'Export instance', inMenu('Instance actions', 'Export')],
  ],
  'features/instances/ResizeDialog.tsx': [
    [`${sleeper}/storage`, 'Resize instance', inMenu('Instance actions', 'Resize')],
  ],
  'features/found/FoundActions.tsx': [
    [
      '/projects/:project/instances',
      'Actions of sleeper',
      async (page) => {
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Search' }).fill('sleeper')
        await page
          .getByRole('option', { name: /^sleeper/ })
          .first()
          .hover()
        await page.keyboard.press('ArrowRight')
      },
    ],
  ],
  'kit/list/filter/ListKeys.tsx': [
    [
      '/projects/:project/instances',
      'Keys in lists',
      async (page) => {
        await page.getByRole('combobox', { name: 'Filter instances' }).waitFor()
        // From a row: the page as a whole has the focus otherwise, also afterwards.
        await page.keyboard.press('j')
        await page.keyboard.press('?')
      },
    ],
  ],
  'kit/list/view/ListView.tsx': [['/projects/:project/instances', 'Columns', press('Columns')]],
  'kit/list/view/ViewDialogs.tsx': [
    ['/projects/:project/instances', 'Save view', inMenu('Views', 'Save as new view')],
    [
      '/projects/:project/instances',
      'Rename view',
      inMenu('Views', 'Save as new view'),
      fill('Name', 'Mine'),
      press('Save'),
      inMenu('saved view', 'Rename view'),
    ],
    ['/projects/:project/instances', 'Rename view', openShared, inMenu(sharedView, 'Rename view')],
    [
      '/projects/:project/instances',
      'Save changes for all',
      openShared,
      async (page) => {
        await page.getByRole('combobox', { name: 'Filter instances' }).fill('state:running')
        await page.getByRole('button', { name: /shared view.*changed/ }).waitFor()
      },
      inMenu(sharedView, 'Save changes'),
    ],
  ],
  'kit/list/view/SavedViews.tsx': [
    [
      '/projects/:project/instances',
      'Confirm delete shared view',
      openShared,
      inMenu(sharedView, 'Delete view'),
    ],
  ],
  'features/instances/bulk/BulkBar.tsx': [
    ['/projects/:project/instances', 'Confirm start 1 instance', tick('sleeper'), press('Start')],
    ['/projects/:project/instances', 'Confirm delete 1 instance', tick('sleeper'), press('Delete')],
  ],
  'features/instances/page/AutoRestart.tsx': [
    ['/projects/:project/instances/giant/storage', 'Auto-restart status', press('Auto-restart status')],
  ],
  'features/instances/page/GroupsCard.tsx': [
    [`${walker}/settings`, 'Remove instance from group', inRow('apart', 'Remove instance from group')],
  ],
  'features/instances/page/use-disk-actions.tsx': [
    [`${sleeper}/storage`, 'Confirm unset boot disk', inRow('sleeper-boot', 'Unset as boot disk')],
    [`${sleeper}/storage`, 'Confirm change boot disk', inRow('cargo', 'Set as boot disk')],
    [`${sleeper}/storage`, 'Confirm detach disk', inRow('cargo', 'Detach')],
  ],
  'features/instances/page/use-external-ip-actions.tsx': [
    [`${walker}/networking`, 'Confirm detach floating IP', inRowWith('buoy', 'Detach')],
  ],
  'features/instances/page/use-interface-actions.tsx': [
    [`${sleeper}/networking`, 'Confirm delete network interface', inRow('second', 'Delete')],
  ],
  'features/instances/screen/PasteDialog.tsx': [
    [`${walker}/screen`, 'Paste as typing', press('Paste as typing')],
  ],
  'features/instances/serial/CliCommand.tsx': [
    [`${walker}/serial-console`, 'CLI command', press('CLI Command')],
  ],
  'features/instances/use-instance-actions.tsx': [
    [`${sleeper}/storage`, 'Confirm start instance', press('Start')],
    [`${walker}/storage`, 'Confirm stop instance', press('Stop')],
    [`${walker}/storage`, 'Confirm force off instance', inMenu('Instance actions', 'Force off')],
    [`${walker}/storage`, 'Confirm reboot instance', inMenu('Instance actions', 'Reboot')],
    ['/projects/:project/instances', 'Confirm delete instance', inRow('sleeper', 'Delete')],
  ],
}
