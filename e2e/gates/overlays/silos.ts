import { withoutFirstAnswers } from '../../support/steps.ts'
import { follow, inRow, inRowWith, press, type Overlays, type Step } from './steps.ts'

/** Opens the page again as on a server that does not say how users sign in. */
const withoutPeople: Step = async (page) => {
  await withoutFirstAnswers(page)
  await page.route('**/ext/v1/system/silos/*/people*', (route) => route.fulfill({ status: 404, body: '' }))
  await page.reload()
}

/** Links the silo to a pool that is not its default. */
const linkPartners: Step = (page) =>
  page.evaluate(async () => {
    await fetch('/v1/system/ip-pools/partners/silos', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ silo: 'lagoon', is_default: false }),
    })
  })

/** Creates a silo with nothing in it: any other is deleted on a page of its own. */
const makeSilo: Step = (page) =>
  page.evaluate(async () => {
    const body = JSON.stringify({
      name: 'void',
      description: '',
      discoverable: true,
      identity_mode: 'local_only',
      quotas: { cpus: 0, memory: 0, storage: 0 },
      tls_certificates: [],
      mapped_fleet_roles: {},
    })
    await fetch('/v1/system/silos', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  })

export const silosOverlays: Overlays = {
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
  'features/silos/scim/ScimTokens.tsx': [
    ['/system/silos/scim-:project/scim', 'Confirm delete SCIM token', inRowWith(/Never/, 'Delete')],
  ],
  'features/silos/scim/ScimTokenDialog.tsx': [
    ['/system/silos/scim-:project/scim', 'Create SCIM token', press('Create token')],
    ['/system/silos/scim-:project/scim', 'SCIM token created', press('Create token'), press('Create')],
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
  'features/silos/parts.tsx': [['/system/silos', 'Confirm delete silo', makeSilo, inRow('void', 'Delete')]],
  'routes/_console/system/_silos/silos-new.tsx': [['/system/silos-new', 'Create silo']],
  'routes/_console/system/silos/$silo/_page/_idps/idps-new.tsx': [
    ['/system/silos/forge/idps-new', 'Create identity provider'],
  ],
  'routes/_console/system/silos/$silo/_page/_idps/idps.saml.$provider_.edit.tsx': [
    ['/system/silos/forge/idps/saml/corporate/edit', 'Edit identity provider'],
  ],
  'features/silos/idps/actions.tsx': [
    ['/system/silos/forge/idps', 'Confirm delete identity provider', inRow('corporate', 'Delete')],
  ],
  'routes/_console/system/silos/$silo/_page/_idps/idps.saml.$provider.tsx': [
    ['/system/silos/forge/idps/saml/corporate', 'Identity provider'],
  ],
  'routes/_console/system/silos/$silo/_page/_users/users-new.tsx': [
    ['/system/silos/lagoon/users-new', 'Create user'],
  ],
}
