import type { Page } from '@playwright/test'
import { menuItem, rowAction, withoutFirstAnswers } from '../steps.ts'

type Step = (page: Page) => Promise<unknown>

/** An overlay: the page to open, the name of the overlay, and the steps that open it. */
export type Opening = readonly [path: string, name: string | RegExp, ...steps: Step[]]

const press =
  (name: string): Step =>
  (page) =>
    page.getByRole('button', { name, exact: true }).last().click()
const inRow =
  (name: string, action: string): Step =>
  (page) =>
    rowAction(page, name, action)
/** For pages on which several tables have such a row. */
const inTable =
  (table: string, name: string, action: string): Step =>
  async (page) => {
    const found = page
      .getByRole('table', { name: table })
      .getByRole('row', { name: new RegExp(`^${name}\\b`) })
    await found.getByRole('button', { name: 'Row actions' }).click()
    await page.getByRole('menuitem', { name: action, exact: true }).click()
  }
const inMenu =
  (menu: string, item: string): Step =>
  async (page) => {
    await page.getByRole('button', { name: menu }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
const inRowWith =
  (text: string | RegExp, action: string): Step =>
  async (page) => {
    const row = page.getByRole('row').filter({ hasText: text }).filter({ hasNotText: 'This session' })
    await row.last().getByRole('button', { name: 'Row actions' }).click()
    await menuItem(page, action).click()
  }
const tick =
  (name: string): Step =>
  (page) =>
    page.getByRole('checkbox', { name: `Select ${name}` }).check()
const fill =
  (label: string, text: string): Step =>
  (page) =>
    page.getByLabel(label, { exact: true }).fill(text)
const follow =
  (name: string): Step =>
  (page) =>
    page.getByRole('link', { name, exact: true }).first().click()
const narrow: Step = (page) => page.setViewportSize({ width: 360, height: 740 })

/** Changes the data like another tab of the same user. */
const changedElsewhere: Step = (page) =>
  page.evaluate(async () => {
    const [, , project] = location.pathname.split('/')
    const rulesOfVpc = `/v1/vpc-firewall-rules?project=${project}&vpc=default`
    const { rules } = (await (await fetch(rulesOfVpc)).json()) as { rules: { name: string }[] }
    const body = JSON.stringify({
      rules: rules.map((rule) => (rule.name === 'allow-ssh' ? { ...rule, priority: 20 } : rule)),
    })
    await fetch(rulesOfVpc, { method: 'PUT', body, headers: { 'content-type': 'application/json' } })
  })

/** Starts an upload whose last parts fail. */
const upload: Step = async (page) => {
  let pieces = 0
  await page.route('**/content?*', (route) => (++pieces > 2 ? undefined : route.continue()))
  await page.getByLabel('Name', { exact: true }).fill(`u-${Date.now().toString(36)}`)
  await page.getByLabel('OS', { exact: true }).fill('Plan 9')
  await page.getByLabel('Version').fill('4')
  const buffer = Buffer.alloc(24 * 1024 ** 2, 7)
  await page
    .getByLabel('Image file')
    .setInputFiles({ name: 'disk.raw', mimeType: 'application/octet-stream', buffer })
  await page.getByRole('button', { name: 'Upload image' }).click()
  await page.getByRole('dialog', { name: 'Image upload progress' }).waitFor()
}

/** Opens the page again as on a server that does not say how users sign in. */
const withoutPeople: Step = async (page) => {
  await withoutFirstAnswers(page)
  await page.route('**/ext/v1/system/silos/*/people*', (route) => route.fulfill({ status: 404, body: '' }))
  await page.reload()
}

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

/** Enables a BFD session, or leaves it as it is. */
const withBfd: Step = (page) =>
  page.evaluate(async () => {
    await fetch('/v1/system/networking/bfd-enable', {
      method: 'POST',
      body: JSON.stringify({
        switch: 'switch0',
        remote: '203.0.113.1',
        detection_threshold: 3,
        required_rx: 300_000,
        mode: 'single_hop',
      }),
      headers: { 'content-type': 'application/json' },
    })
  })

const withLoopback: Step = (page) =>
  page.evaluate(async () => {
    const racks = await (await fetch('/v1/system/hardware/racks')).json()
    await fetch('/v1/system/networking/loopback-address', {
      method: 'POST',
      body: JSON.stringify({
        address_lot: 'uplinks',
        rack_id: racks.items[0].id,
        switch_location: 'switch0',
        address: '203.0.113.250',
        mask: 32,
        anycast: false,
      }),
      headers: { 'content-type': 'application/json' },
    })
  })

/** Links the silo to a pool that is not its default. */
const linkPartners: Step = (page) =>
  page.evaluate(async () => {
    await fetch('/v1/system/ip-pools/partners/silos', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ silo: 'lagoon', is_default: false }),
    })
  })

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

const endSession: Step = (page) => page.request.post(new URL('/v1/logout', page.url()).href)

/** Reopens the page at a host name, because passkeys do not work on IP addresses. */
const atHostName: Step = async (page) => {
  const url = new URL(page.url())
  url.hostname = 'localhost'
  const cookies = await page.context().cookies()
  await page.context().addCookies(
    cookies.map(({ name, value }) => ({
      name,
      value,
      url: url.origin,
      httpOnly: true,
      sameSite: 'Lax' as const,
    })),
  )
  await page.goto(url.href)
}

/** Mocks the user's second factors: with real ones, a password alone could not sign in any more. */
const withFactors =
  (more: object = {}): Step =>
  async (page) => {
    const times = { time_created: '2026-05-04T08:30:00.000Z', time_last_used: null }
    const passkey = {
      id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      name: 'laptop',
      rp_id: 'localhost',
      ...times,
    }
    const json = {
      kinds: ['passkey', 'totp'],
      passkeys: [passkey],
      totp: times,
      recovery_codes_left: 9,
      is_required: false,
      needs_confirmation: false,
      ...more,
    }
    await withoutFirstAnswers(page)
    await page.route('**/ext/v1/me/second-factors', (route) => route.fulfill({ json }))
    await page.reload()
  }
const withCodes: Step = async (page) => {
  const codes = Array.from({ length: 10 }, (_, index) => `ABCD-EFGH-IJKL-MN${20 + index}`)
  await page.route('**/ext/v1/me/recovery-codes', (route) => route.fulfill({ status: 201, json: { codes } }))
}
const withFactorsOfOthers: Step = async (page) => {
  const json = { passkeys: 2, totp: true, recovery_codes_left: 7 }
  await page.route('**/ext/v1/users/*/second-factors', (route) => route.fulfill({ json }))
}

/** Mocks an open session of whoever is shown. */
const withSessionOfOthers: Step = async (page) => {
  const time = '2026-05-04T08:30:00.000Z'
  const session = { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', time_created: time, time_last_used: time }
  await page.route('**/v1/users/*/sessions?*', (route) =>
    route.fulfill({ json: { items: [session], next_page: null } }),
  )
}

const walker = '/projects/:project/instances/walker'
const sleeper = '/projects/:project/instances/sleeper'
const vpc = '/projects/:project/vpcs/default'
const routers = `${vpc}/routers`

/** Mocks a delivery that a receiver answered with a failure. */
const withDelivery: Step = async (page) => {
  const delivery = {
    id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    receiver_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    alert_id: '16fd2706-8baf-433b-82eb-8c7fada847da',
    alert_class: 'maintenance.window.began',
    state: 'failed',
    trigger: 'alert',
    time_started: '2026-05-04T08:30:00.000Z',
    attempts: {
      webhook: [
        {
          attempt: 1,
          time_sent: '2026-05-04T08:30:01.000Z',
          result: 'failed_http_error',
          response: { status: 500, duration_ms: 120 },
        },
      ],
    },
  }
  const exchange = {
    attempt: 1,
    request: {
      headers: { 'content-type': 'application/json' },
      body: '{"alert_class":"maintenance.window.began"}',
    },
    response_body: 'Out of order',
    reason: null,
  }
  await withoutFirstAnswers(page)
  await page.route('**/v1/alert-receivers/*/deliveries?**', (route) =>
    route.fulfill({ json: { items: [delivery], next_page: null } }),
  )
  await page.route('**/ext/v1/system/alert-deliveries/*', (route) =>
    route.fulfill({ json: { ...delivery, payload: {}, time_next: null, exchanges: [exchange] } }),
  )
  await page.reload()
}

/** Changes the update's status as the server reports it: one component failed, or somebody suspended it. */
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

/** Begins an upload of a release, of which nothing arrives. */
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

/**
 * Every dialog and form of the console, by the source file that shows it. Each file has at least as many
 * openings here as places that show one; the gate checks this.
 */
export const overlays: Readonly<Record<string, readonly Opening[]>> = {
  'routes/_console/settings/access-tokens.tsx': [
    ['/settings/access-tokens', 'Confirm delete access token', inRowWith(/\d{4}/, 'Delete')],
  ],
  'features/access-tokens/LifetimeDialog.tsx': [
    ['/settings/access-tokens', 'Edit maximum lifetime', press('Edit')],
  ],
  'features/access/AccessPage.tsx': [
    ['/projects/:project/access', 'Confirm delete role', inRow('viewer', 'Delete')],
  ],
  'features/access/RoleForms.tsx': [
    ['/access', 'Add user or group', press('Add user or group')],
    ['/system/access', 'Add user or group', press('Add user or group')],
    ['/projects/:project/access', 'Add user or group', press('Add user or group')],
    ['/access', 'Change silo role for viewer', inRow('viewer', 'Change role')],
    ['/system/access', 'Change fleet role for admin', inTable('Fleet Access', 'admin', 'Change role')],
    ['/projects/:project/access', 'Change project role for viewer', inRow('viewer', 'Change role')],
  ],
  'features/audit/RecordPanel.tsx': [['/system/audit-log?record=:record', /./]],
  'features/affinity/AddDialogs.tsx': [
    ['/projects/:project/affinity/apart', 'Add instance to group', press('Add instance')],
    ['/projects/:project/affinity-groups/together', 'Add instance to group', press('Add instance')],
    [`${sleeper}/settings`, 'Add to anti-affinity group', press('Add to group')],
    [`${sleeper}/settings`, 'Add to affinity group', press('Add to affinity group')],
  ],
  'features/affinity/EditGroupForm.tsx': [
    ['/projects/:project/affinity/apart/edit', 'Edit anti-affinity group'],
    ['/projects/:project/affinity-groups/together/edit', 'Edit affinity group'],
  ],
  'features/affinity/MembersCard.tsx': [
    [
      '/projects/:project/affinity/apart',
      'Remove instance from anti-affinity group',
      inRow('walker', 'Remove from group'),
    ],
    [
      '/projects/:project/affinity-groups/together',
      'Remove instance from affinity group',
      inRow('sleeper', 'Remove from group'),
    ],
  ],
  'features/affinity/NewGroupForm.tsx': [
    ['/projects/:project/affinity-new', 'Add anti-affinity group'],
    ['/projects/:project/affinity-groups-new', 'Add affinity group'],
  ],
  'features/affinity/parts.tsx': [
    ['/projects/:project/affinity/apart', /^Confirm delete/, inMenu('Anti-affinity group actions', 'Delete')],
    ['/projects/:project/affinity', /^Confirm delete/, inRow('apart', 'Delete')],
    ['/projects/:project/affinity-groups', /^Confirm delete/, inRow('together', 'Delete')],
  ],
  'features/common/forms/UnsavedGuard.tsx': [
    ['/projects-new', 'Confirm navigation', fill('Name', 'half'), press('Cancel')],
  ],
  'features/disks/AttachDiskDialog.tsx': [
    [`${sleeper}/storage`, 'Attach disk', press('Attach existing disk')],
    ['/projects/:project/instances-new', 'Attach disk', press('Attach existing disk')],
  ],
  'features/disks/DiskForm.tsx': [
    [`${sleeper}/storage`, 'Create disk', press('Create disk')],
    ['/projects/:project/instances-new', 'Create disk', press('Create new disk')],
    ['/projects/:project/disks-new', 'Create disk'],
  ],
  'routes/_console/projects/$project/_disks/route.tsx': [
    ['/projects/:project/disks', 'Confirm delete disk', inRow('spare', 'Delete')],
  ],
  'features/images/ImagePanel.tsx': [
    ['/images/alpine-3-22/edit', 'Silo image'],
    ['/projects/:project/images/own/edit', 'Project image'],
  ],
  'routes/_console/projects/$project/_images/route.tsx': [
    ['/projects/:project/images', 'Confirm delete image', inRow('own', 'Delete')],
  ],
  'features/images/MoveDialogs.tsx': [
    ['/projects/:project/images', 'Promote image', inRow('own', 'Promote')],
    ['/images', 'Promote image', press('Promote image')],
    ['/images', 'Demote image', inRow('alpine-3-22', 'Demote')],
  ],
  'routes/_console/_silo/_images/route.tsx': [
    ['/images', 'Confirm delete image', inRow('alpine-3-22', 'Delete')],
  ],
  'features/images/upload/UnfinishedUpload.tsx': [
    ['/projects/:project/images', 'Discard upload', press('Discard')],
  ],
  'features/images/upload/UploadDialog.tsx': [
    ['/projects/:project/images-new', 'Image upload progress', upload],
    ['/projects/:project/images-new', 'Cancel upload', upload, press('Cancel')],
  ],
  'routes/_console/projects/$project/_images/images-new.tsx': [
    ['/projects/:project/images-new', 'Upload image'],
  ],
  'features/instances/ResizeDialog.tsx': [
    [`${sleeper}/storage`, 'Resize instance', inMenu('Instance actions', 'Resize')],
  ],
  'features/instances/bulk/BulkBar.tsx': [
    ['/projects/:project/instances', 'Confirm start 1 instance', tick('sleeper'), press('Start')],
    ['/projects/:project/instances', 'Confirm delete 1 instance', tick('sleeper'), press('Delete')],
  ],
  'features/instance-page/AutoRestart.tsx': [
    ['/projects/:project/instances/giant/storage', 'Auto-restart status', press('Auto-restart status')],
  ],
  'features/instance-page/GroupsCard.tsx': [
    [`${walker}/settings`, 'Remove instance from group', inRow('apart', 'Remove instance from group')],
  ],
  'features/instance-page/use-disk-actions.tsx': [
    [`${sleeper}/storage`, 'Confirm unset boot disk', inRow('sleeper-boot', 'Unset as boot disk')],
    [`${sleeper}/storage`, 'Confirm change boot disk', inRow('cargo', 'Set as boot disk')],
    [`${sleeper}/storage`, 'Confirm detach disk', inRow('cargo', 'Detach')],
  ],
  'features/instance-page/use-external-ip-actions.tsx': [
    [`${walker}/networking`, 'Confirm detach floating IP', inRowWith('buoy', 'Detach')],
  ],
  'features/instance-page/use-interface-actions.tsx': [
    [`${sleeper}/networking`, 'Confirm delete network interface', inRow('second', 'Delete')],
  ],
  'features/instances/serial/CliCommand.tsx': [
    [`${walker}/serial-console`, 'CLI command', press('CLI Command')],
  ],
  'features/instances/use-instance-actions.tsx': [
    [`${sleeper}/storage`, 'Confirm start instance', press('Start')],
    [`${walker}/storage`, 'Confirm stop instance', press('Stop')],
    [`${walker}/storage`, 'Confirm reboot instance', inMenu('Instance actions', 'Reboot')],
    ['/projects/:project/instances', 'Confirm delete instance', inRow('sleeper', 'Delete')],
  ],
  'features/addresses/InterfaceDialogs.tsx': [
    [`${sleeper}/networking`, 'Edit network interface', inRow('second', 'Edit')],
  ],
  'features/addresses/ExternalIpDialogs.tsx': [
    [`${sleeper}/networking`, 'Attach floating IP', press('Attach floating IP')],
    [`${sleeper}/networking`, 'Attach ephemeral IP', press('Attach ephemeral IP')],
  ],
  'features/addresses/InterfaceForm.tsx': [
    [`${sleeper}/networking`, 'Add network interface', press('Add network interface')],
  ],
  'features/firewall/SelectedRules.tsx': [
    [`${vpc}/firewall-rules`, 'Confirm disable 1 firewall rule', tick('allow-ssh'), press('Disable')],
  ],
  'features/firewall/ConflictDialog.tsx': [
    [
      `${vpc}/firewall-rules/allow-ssh/edit`,
      'Someone else has changed this rule',
      fill('Priority', '10'),
      changedElsewhere,
      press('Update rule'),
    ],
  ],
  'features/firewall/FirewallTab.tsx': [
    [`${vpc}/firewall-rules`, 'Confirm delete firewall rule', inRow('deny-mail', 'Delete')],
  ],
  'features/firewall/form/RuleForm.tsx': [
    [`${vpc}/firewall-rules-new`, 'Add firewall rule'],
    [`${vpc}/firewall-rules/many-filters/edit`, 'Edit rule'],
  ],
  'features/addresses/floating-ips/AttachDialog.tsx': [
    ['/projects/:project/floating-ips', 'Attach floating IP', inRow('adrift', 'Attach')],
  ],
  'routes/_console/projects/$project/_floating-ips/floating-ips-new.tsx': [
    ['/projects/:project/floating-ips-new', 'Create floating IP'],
  ],
  'routes/_console/projects/$project/_floating-ips/floating-ips.$floatingIp.edit.tsx': [
    ['/projects/:project/floating-ips/buoy/edit', 'Edit floating IP'],
  ],
  'features/addresses/floating-ips/use-floating-ip-row-actions.tsx': [
    ['/projects/:project/floating-ips', 'Detach Floating IP', inRow('buoy', 'Detach')],
    ['/projects/:project/floating-ips', 'Confirm delete floating IP', inRow('adrift', 'Delete')],
  ],
  'routes/_console/projects/$project/_probes/route.tsx': [
    ['/projects/:project/probes', 'Confirm delete probe', inRowWith('sounder', 'Delete')],
  ],
  'routes/_console/projects/$project/_probes/probes-new.tsx': [
    ['/projects/:project/probes-new', 'Create probe'],
  ],
  'features/vpcs/gateways/AttachDialogs.tsx': [
    [`${vpc}/internet-gateways/default`, 'Attach IP address', press('Attach IP address')],
    [`${vpc}/internet-gateways/spare`, 'Attach IP pool', press('Attach IP pool')],
  ],
  'features/vpcs/gateways/Attachments.tsx': [
    [`${vpc}/internet-gateways/default`, 'Confirm detach IP pool', press('Detach default')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/route.tsx': [
    [`${vpc}/internet-gateways`, 'Confirm delete internet gateway', inRow('default', 'Delete')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways-new.tsx': [
    [`${vpc}/internet-gateways-new`, 'Create internet gateway'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_internet-gateways/internet-gateways.$gateway.tsx': [
    [`${vpc}/internet-gateways/default`, 'Internet gateway'],
  ],
  'features/vpcs/routers/RouteForm.tsx': [
    [`${routers}/edge/routes-new`, 'Create route'],
    [`${routers}/edge/routes/other-site/edit`, 'Edit route'],
  ],
  'features/vpcs/routers/Routes.tsx': [
    [`${routers}/edge`, 'Confirm remove route', inRow('other-site', 'Delete')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_routers/route.tsx': [
    [routers, 'Confirm delete router', inRow('edge', 'Delete')],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_subnets/route.tsx': [
    [`${vpc}/subnets`, 'Confirm delete subnet', inRow('other', 'Delete')],
  ],
  'features/vpcs/parts.tsx': [['/projects/:project/vpcs', 'Confirm delete VPC', inRow('bare', 'Delete')]],
  'features/metrics/AboutMetric.tsx': [
    [`${walker}/metrics/cpu`, 'About this metric', inMenu('Running chart actions', 'About this metric')],
  ],
  'features/metrics/ChartTable.tsx': [
    ['/system/utilization?tab=metrics', 'Memory (GiB)', inMenu('Memory chart actions', 'View as table')],
  ],
  'features/metrics/QueryDialog.tsx': [
    [`${walker}/metrics/cpu`, 'OxQL query', inMenu('Running chart actions', 'View OxQL query')],
  ],
  'features/metrics/explorer/Queries.tsx': [['/system/metrics', 'Queries', press('Queries')]],
  'features/metrics/explorer/SaveQuery.tsx': [['/system/metrics', 'Save query', press('Save query')]],
  'features/saved-queries/SavedQueryForms.tsx': [
    ['/projects/:project/saved-queries-new', 'Create saved query'],
    ['/projects/:project/saved-queries/walkers-cpu/edit', 'Edit saved query'],
  ],
  'features/saved-queries/use-saved-query-actions.tsx': [
    ['/projects/:project/saved-queries', 'Confirm delete saved query', inRow('walkers-cpu', 'Delete')],
  ],
  'features/metrics/RangeControls.tsx': [
    [
      '/system/utilization?tab=metrics',
      'Date range',
      (page) => page.getByRole('button', { name: /^Choose a date range/ }).click(),
    ],
  ],
  'features/password/ChangePasswordDialog.tsx': [
    ['/settings/profile', 'Change password', press('Change password')],
  ],
  'features/people/CredentialsCard.tsx': [
    ['/users', 'Confirm end all sessions', withSessionOfOthers, follow('viewer'), press('End all sessions')],
  ],
  'features/people/PersonPanel.tsx': [
    ['/users', 'viewer', follow('viewer')],
    ['/users/groups', 'engineers', follow('engineers')],
  ],
  'routes/_console/_silo/_projects/route.tsx': [
    ['/projects', 'Confirm delete project', inRow('playground', 'Delete')],
  ],
  'features/second-factor/PasskeyDialogs.tsx': [
    ['/settings/security', 'Add passkey', atHostName, press('Add passkey')],
    ['/settings/security', 'Rename passkey', withFactors(), inRow('laptop', 'Rename')],
  ],
  'features/second-factor/ConfirmIdentityDialog.tsx': [
    [
      '/settings/security',
      'Confirm your identity',
      atHostName,
      withFactors({ needs_confirmation: true }),
      press('Replace app'),
    ],
  ],
  'features/second-factor/RecoveryCard.tsx': [
    ['/settings/security', 'Confirm new recovery codes', withFactors(), press('New codes')],
  ],
  'features/second-factor/RecoveryCodesDialog.tsx': [
    [
      '/settings/security',
      'Recovery codes',
      withFactors(),
      withCodes,
      press('New codes'),
      press('Generate codes'),
    ],
  ],
  'features/second-factor/RequireDialog.tsx': [
    ['/settings/security', 'Edit second factor', withFactors(), press('Edit')],
  ],
  'features/second-factor/SetUpTotpDialog.tsx': [
    ['/settings/security', 'Set up authenticator app', withFactors(), press('Replace app')],
  ],
  'features/second-factor/TotpCard.tsx': [
    ['/settings/security', 'Confirm remove authenticator app', withFactors(), press('Remove app')],
  ],
  'features/second-factor/UserSecondFactorsCard.tsx': [
    ['/users', 'Confirm reset second factors', withFactorsOfOthers, follow('viewer'), press('Reset')],
  ],
  'features/second-factor/PasskeysCard.tsx': [
    ['/settings/security', 'Confirm delete passkey', withFactors(), inRow('laptop', 'Delete')],
  ],
  'routes/_console/settings/sessions.tsx': [
    ['/settings/sessions', 'Confirm end session', inRowWith(/ago/, 'End session')],
    ['/settings/sessions', 'Confirm end all other sessions', press('End all others')],
  ],
  'routes/_console/projects/$project/_snapshots/route.tsx': [
    ['/projects/:project/snapshots', 'Confirm delete snapshot', inRow('kept', 'Delete')],
  ],
  'features/silos/certificates/CertificateDialog.tsx': [
    ['/system/silos/demo/certificates', 'Add TLS certificate', press('Add TLS certificate')],
    ['/system/silos-new', 'Add TLS certificate', press('Add TLS certificate')],
    ['/certificates', 'Add TLS certificate', press('Add TLS certificate')],
  ],
  'features/silos/certificates/CertificatesTable.tsx': [
    ['/system/silos/forge/certificates', 'Confirm delete certificate', inRow('forge-tls', 'Delete')],
    ['/certificates', 'Confirm delete certificate', inRow('demo-tls', 'Delete')],
  ],
  'routes/_console/_silo/_certificates/certificates.$certificate.tsx': [
    ['/certificates/demo-tls', 'TLS certificate'],
  ],
  'features/silos/people/OneTimePasswordDialog.tsx': [
    [
      '/system/silos/lagoon/users',
      'One-time password',
      inRow('tomas', 'Reset password'),
      press('Reset'),
      // The confirmation closes first.
      (page) => page.getByRole('dialog', { name: 'Confirm reset password' }).waitFor({ state: 'hidden' }),
    ],
  ],
  'features/silos/people/CreateUser.tsx': [
    ['/system/silos/lagoon/users', 'Create user', withoutPeople, follow('New user')],
  ],
  'features/silos/people/SetPasswordDialog.tsx': [
    ['/system/silos/lagoon/users', 'Set password', inRow('tomas', 'Set password')],
  ],
  'features/silos/people/SiloRoleDialog.tsx': [
    ['/system/silos/lagoon/users', 'Change silo role', inRow('tomas', 'Change silo role')],
  ],
  'routes/_console/system/silos/$silo/_page/_users/users.$user.tsx': [
    ['/system/silos/lagoon/users', 'tomas', follow('tomas')],
  ],
  'features/silos/people/use-person-actions.tsx': [
    ['/system/silos/lagoon/users', 'Confirm reset password', inRow('tomas', 'Reset password')],
    ['/system/silos/lagoon/users', 'Confirm remove password', inRow('tomas', 'Remove password')],
    ['/system/silos/lagoon/users', 'Confirm end sessions', inRow('tomas', 'End sessions')],
    ['/system/silos/lagoon/users', 'Confirm delete user', inRow('tomas', 'Delete')],
  ],
  'features/silos/tabs/EditQuotas.tsx': [['/system/silos/demo/quotas', 'Edit quotas', press('Edit quotas')]],
  'features/silos/tabs/LinkPoolDialog.tsx': [
    ['/system/silos/lagoon/ip-pools', 'Link pool', press('Link pool')],
  ],
  'features/silos/tabs/use-silo-pool-actions.tsx': [
    [
      '/system/silos/lagoon/ip-pools',
      'Confirm change default',
      linkPartners,
      inRow('partners', 'Make default'),
    ],
    ['/system/silos/lagoon/ip-pools', 'Confirm clear default', inRow('lagoon-public', 'Clear default')],
    ['/system/silos/lagoon/ip-pools', 'Confirm unlink pool', inRow('lagoon-public', 'Unlink')],
  ],
  'routes/_console/system/_built-in-users/built-in-users.$user.tsx': [
    ['/system/built-in-users/db-init', 'Built-in user'],
  ],
  'features/silos/parts.tsx': [['/system/silos', 'Confirm delete silo', inRow('demo', 'Delete')]],
  'routes/_console/system/_silos/silos-new.tsx': [['/system/silos-new', 'Create silo']],
  'routes/_console/system/silos/$silo/_page/_idps/idps-new.tsx': [
    ['/system/silos/forge/idps-new', 'Create identity provider'],
  ],
  'routes/_console/system/silos/$silo/_page/_idps/idps.saml.$provider.tsx': [
    ['/system/silos/forge/idps/saml/corporate', 'Identity provider'],
  ],
  'routes/_console/system/silos/$silo/_page/_users/users-new.tsx': [
    ['/system/silos/lagoon/users-new', 'Create user'],
  ],
  'features/ssh-keys/SshKeyForm.tsx': [
    ['/settings/ssh-keys-new', 'Add SSH key'],
    ['/projects/:project/instances-new', 'Add SSH key', press('Add SSH Key')],
  ],
  'routes/_console/settings/_ssh-keys/ssh-keys.$sshKey.edit.tsx': [
    ['/settings/ssh-keys/desk/edit', 'View SSH key'],
  ],
  'routes/_console/settings/_ssh-keys/route.tsx': [
    ['/settings/ssh-keys', 'Confirm delete SSH key', inRow('desk', 'Delete')],
  ],
  'routes/_console/system/inventory/_page/sleds.index.tsx': [
    ['/system/inventory/sleds', 'Add sled', inRow('GS-012', 'Add sled')],
  ],
  'features/inventory/drain/DrainCard.tsx': [
    ['/system/inventory/sleds/:sled/instances', 'Cancel drain', withDrain, press('Cancel drain')],
  ],
  'features/inventory/drain/DrainDialog.tsx': [
    ['/system/inventory/sleds', 'Drain sled', inRow('GS-001', 'Drain')],
  ],
  'features/inventory/use-sled-actions.tsx': [
    ['/system/inventory/sleds', 'Make not provisionable', inRow('GS-001', 'Make not provisionable')],
  ],
  'features/rack-network/AllowListForm.tsx': [
    ['/system/networking/allow-list', 'Edit allow list', press('Edit allow list')],
  ],
  'features/rack-network/ApplySettings.tsx': [
    ['/system/networking/fabric', 'Apply settings to a port', press('Apply settings')],
  ],
  'features/rack-network/lots.tsx': [
    ['/system/networking/address-lots', 'Confirm delete address lot', inRow('uplinks', 'Delete')],
  ],
  'features/rack-network/LinkStatePanel.tsx': [
    ['/system/networking/fabric', 'Link state', inRow('switch0 qsfp0', 'View link state')],
  ],
  'features/rack-network/lldp/LldpPanel.tsx': [
    ['/system/networking/fabric', 'LLDP', inRow('switch0 qsfp0', 'View LLDP')],
  ],
  'features/rack-network/lldp/LldpForm.tsx': [
    [
      '/system/networking/fabric',
      'Edit LLDP configuration',
      inRow('switch0 qsfp0', 'View LLDP'),
      press('Edit configuration'),
    ],
  ],
  'features/rack-network/bfd.tsx': [
    ['/system/networking/bfd', 'Confirm disable BFD session', withBfd, inRow('203.0.113.1', 'Disable')],
  ],
  'routes/_console/system/networking/_rack/_loopback-addresses/route.tsx': [
    [
      '/system/networking/loopback-addresses',
      'Confirm delete loopback address',
      withLoopback,
      inRow('203.0.113.250/32', 'Delete'),
    ],
  ],
  'routes/_console/system/networking/_rack/_bfd/bfd-new.tsx': [
    ['/system/networking/bfd-new', 'Enable BFD session'],
  ],
  'routes/_console/system/networking/_rack/_loopback-addresses/loopback-addresses-new.tsx': [
    ['/system/networking/loopback-addresses-new', 'Create loopback address'],
  ],
  'features/rack-network/port-settings/AddParts.tsx': [
    ['/system/networking/port-settings/uplink/edit', 'Add address', press('Add address')],
    ['/system/networking/port-settings/uplink/edit', 'Add route', press('Add route')],
    ['/system/networking/port-settings-new', 'Add link', press('Add link')],
  ],
  'features/rack-network/port-settings/AddPeer.tsx': [
    ['/system/networking/port-settings/uplink/edit', 'Add BGP peer', press('Add BGP peer')],
  ],
  'features/rack-network/port-settings/use-settings-actions.tsx': [
    ['/system/networking/port-settings', 'Confirm delete port settings', inRow('spare', 'Delete')],
  ],
  'routes/_console/system/networking/_rack/_port-settings/port-settings-new.tsx': [
    ['/system/networking/port-settings-new', 'Create port settings'],
  ],
  'routes/_console/system/networking/port-settings/$settings/edit.tsx': [
    ['/system/networking/port-settings/uplink/edit', 'Replace uplink'],
  ],
  'routes/_console/system/networking/_rack/_bgp/route.tsx': [
    ['/system/networking/bgp', 'Confirm delete BGP configuration', inRow('peering', 'Delete')],
  ],
  'features/rack-network/bgp/SessionPanel.tsx': [
    ['/system/networking/bgp?session=switch0%20203.0.113.1', '203.0.113.1'],
  ],
  'routes/_console/system/networking/_rack/_announce-sets/route.tsx': [
    ['/system/networking/announce-sets', 'Confirm delete announce set', inRow('announced', 'Delete')],
  ],
  'routes/_console/system/networking/_rack/_bgp/bgp-new.tsx': [
    ['/system/networking/bgp-new', 'Create BGP configuration'],
  ],
  'routes/_console/system/networking/_rack/_announce-sets/announce-sets-new.tsx': [
    ['/system/networking/announce-sets-new', 'Create announce set'],
  ],
  'routes/_console/system/networking/_rack/_announce-sets/announce-sets.$set.edit.tsx': [
    ['/system/networking/announce-sets/announced/edit', 'Replace networks of announced'],
  ],
  'routes/_console/system/networking/_rack/_address-lots/address-lots-new.tsx': [
    ['/system/networking/address-lots-new', 'Create address lot'],
  ],
  'features/rack-network/TryChange.tsx': [
    [
      '/system/networking/fabric',
      'Clear settings of switch0 qsfp0',
      inRow('switch0 qsfp0', 'Clear settings'),
    ],
  ],
  'features/alerts/DeliveryPanel.tsx': [
    ['/system/alerts/pager', 'maintenance.window.began', withDelivery, follow('maintenance.window.began')],
  ],
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
  ],
  'features/updates/SuspendButton.tsx': [
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
  'features/support-bundles/parts.tsx': [
    [
      '/system/support-bundles/:bundle',
      'Confirm delete support bundle',
      async (page) => {
        await page.getByRole('button', { name: 'Support bundle actions' }).click()
        await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
      },
    ],
  ],
  'routes/_console/system/_support-bundles/support-bundles-new.tsx': [
    ['/system/support-bundles-new', 'Create support bundle'],
  ],
  'routes/_console/system/support-bundles/$bundle/edit.tsx': [
    ['/system/support-bundles/:bundle/edit', 'Edit support bundle'],
  ],
  'features/alerts/ProbeDialog.tsx': [['/system/alerts/pager', 'Send test', press('Send test')]],
  'features/alerts/SecretsTab.tsx': [
    ['/system/alerts/pager?tab=secrets', 'Confirm delete secret', inRow('[0-9a-f]{8}', 'Delete')],
  ],
  'features/alerts/SubscriptionsTab.tsx': [
    [
      '/system/alerts/pager?tab=subscriptions',
      'Confirm remove subscription',
      inRowWith('maintenance.*.began', 'Remove'),
    ],
  ],
  'features/alerts/use-receiver-actions.tsx': [
    ['/system/alerts', 'Confirm delete alert receiver', inRow('pager', 'Delete')],
  ],
  'features/alerts/parts.tsx': [
    ['/system/alerts/pager', 'Confirm resend', withDelivery, inRowWith('maintenance.window.began', 'Resend')],
  ],
  'routes/_console/system/_alerts/alerts-new.tsx': [['/system/alerts-new', 'Create alert receiver']],
  'routes/_console/system/alerts/$receiver/edit.tsx': [['/system/alerts/pager/edit', 'Edit alert receiver']],
  'routes/_console/system/alerts/$receiver/secrets-add.tsx': [
    ['/system/alerts/pager/secrets-add', 'Add secret'],
  ],
  'routes/_console/system/alerts/$receiver/subscriptions-add.tsx': [
    ['/system/alerts/pager/subscriptions-add', 'Add subscription'],
  ],
  'features/system-ip-pools/AddRangeForm.tsx': [
    ['/system/networking/ip-pools/external/ranges-add', 'Add IP range'],
    ['/system/networking/ip-pools-service/ranges-add', 'Add IP range'],
  ],
  'features/system-ip-pools/RangesTab.tsx': [
    ['/system/networking/ip-pools/external', 'Confirm remove range', inRow('198.51.100.1', 'Remove')],
  ],
  'features/system-ip-pools/silos/LinkSiloDialog.tsx': [
    ['/system/networking/ip-pools/external?tab=silos', 'Link silo', press('Link silo')],
  ],
  'features/system-ip-pools/silos/use-link-row-actions.tsx': [
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
  ],
  'routes/_console/_silo/_projects/projects-new.tsx': [['/projects-new', 'Create project']],
  'routes/_console/_silo/_projects/projects.$project.edit.tsx': [['/projects/:project/edit', 'Edit project']],
  'routes/_console/projects/$project/_snapshots/snapshots-new.tsx': [
    ['/projects/:project/snapshots-new', 'Create snapshot'],
  ],
  'routes/_console/projects/$project/_snapshots/snapshots.$snapshot.images-new.tsx': [
    ['/projects/:project/snapshots/kept/images-new', 'Create image from snapshot'],
  ],
  'routes/_console/projects/$project/_vpcs/vpcs-new.tsx': [['/projects/:project/vpcs-new', 'Create VPC']],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_firewall-rules/edit.tsx': [[`${vpc}/edit`, 'Edit VPC']],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_routers/routers-new.tsx': [
    [`${vpc}/routers-new`, 'Create router'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_routers/routers.$router.edit.tsx': [
    [`${routers}/edge/edit`, 'Edit router'],
  ],
  'routes/_console/system/networking/_ip-pools/ip-pools-new.tsx': [
    ['/system/networking/ip-pools-new', 'Create IP pool'],
  ],
  'routes/_console/system/networking/ip-pools/$pool/edit.tsx': [
    ['/system/networking/ip-pools/external/edit', 'Edit IP pool'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_subnets/subnets-new.tsx': [
    [`${vpc}/subnets-new`, 'Create subnet'],
  ],
  'routes/_console/projects/$project/vpcs/$vpc/_page/_subnets/subnets.$subnet.edit.tsx': [
    [`${vpc}/subnets/default/edit`, 'Edit subnet'],
  ],
  'shell/Frame.tsx': [['/projects', 'Navigation', narrow, press('Open navigation')]],
  'shell/Overlays.tsx': [
    ['/projects', 'Jump to', press('Jump to')],
    ['/projects', 'Jump to', press('Jump to'), fill('Search', 'zzz')],
  ],
  'features/renew-session/SignInDialog.tsx': [
    ['/projects-new', 'Your session has ended', fill('Name', 'kept'), endSession, press('Create project')],
  ],
}
