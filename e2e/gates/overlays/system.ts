import { inMenu, type Overlays, press, type Step } from './steps.ts'

const lostSled = 'More actions for: Sled GS-010 is unreachable, and its instances failed.'

/** Shows every issue as acknowledged; acknowledging one would change what the other openings show. */
const acknowledged: Step = async (page) => {
  await page.route('**/ext/v1/system/overview', async (route) => {
    const response = await route.fetch()
    const { worst, ...rest } = (await response.json()) as { worst: object[] }
    const acknowledgement = { note: 'Bay 7', user_name: 'admin', time_created: new Date().toISOString() }
    const json = { ...rest, worst: worst.map((issue) => ({ ...issue, acknowledgement })) }
    await route.fulfill({ response, json })
  })
  await page.reload()
}

export const systemOverlays: Overlays = {
  'features/audit/RecordPanel.tsx': [['/system/audit-log?record=:record', /./]],
  'features/system/AcknowledgeDialog.tsx': [
    ['/system', 'Acknowledge issue', inMenu(lostSled, 'Acknowledge')],
  ],
  'features/system/use-issue-actions.tsx': [
    ['/system', 'Mark sled as back', press('Mark sled as back…')],
    ['/system', 'Withdraw acknowledgement', acknowledged, inMenu(lostSled, 'Withdraw acknowledgement')],
  ],
  'features/usage/PricesDialog.tsx': [['/system/usage', 'Edit prices', press('Edit prices')]],
  'routes/_console/system/_built-in-users/built-in-users.$user.tsx': [
    ['/system/built-in-users/db-init', 'Built-in user'],
  ],
}
