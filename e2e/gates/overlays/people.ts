import { fill, follow, inRow, inRowWith, inTable, press, type Overlays, type Step } from './steps.ts'

const endSession: Step = (page) => page.request.post(new URL('/v1/logout', page.url()).href)

/** Mocks an open session of the displayed user. */
const withSessionOfOthers: Step = async (page) => {
  const time = '2026-05-04T08:30:00.000Z'
  const session = { id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', time_created: time, time_last_used: time }
  await page.route('**/v1/users/*/sessions?*', (route) =>
    route.fulfill({ json: { items: [session], next_page: null } }),
  )
}

export const peopleOverlays: Overlays = {
  'routes/_console/settings/access-tokens.tsx': [
    ['/settings/access-tokens', 'Confirm delete access token', inRowWith(/\d{4}/, 'Delete')],
  ],
  'features/access-tokens/MadeTokens.tsx': [
    ['/settings/access-tokens', 'Confirm delete all access tokens', press('Delete all')],
    ['/settings/access-tokens', 'Confirm delete access token', inRowWith(/\d{4}/, 'Delete')],
  ],
  'features/access-tokens/TokenMadeDialog.tsx': [
    ['/settings/access-tokens-new', 'Token nightly is ready', fill('Name', 'nightly'), press('Create token')],
  ],
  'features/service-accounts/AccountForms.tsx': [
    ['/projects/:project/service-accounts-new', 'Create service account'],
    ['/projects/:project/service-accounts/deployer/edit', 'Edit service account'],
  ],
  'features/service-accounts/use-account-actions.tsx': [
    ['/projects/:project/service-accounts', 'Confirm delete service account', inRow('deployer', 'Delete')],
  ],
  'features/service-accounts/AccountTokens.tsx': [
    [
      '/projects/:project/service-accounts/deployer',
      'Confirm delete access token',
      inRow('nightly', 'Delete'),
    ],
  ],
  'features/service-accounts/RotateDialog.tsx': [
    ['/projects/:project/service-accounts/deployer', 'Replace token nightly', inRow('nightly', 'Replace')],
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
  'features/sign-in/password/ChangePasswordDialog.tsx': [
    ['/settings/profile', 'Change password', press('Change password')],
  ],
  'features/people/CredentialsCard.tsx': [
    ['/users', 'Confirm end all sessions', withSessionOfOthers, follow('viewer'), press('End all sessions')],
  ],
  'features/people/PersonPanel.tsx': [
    ['/users', 'viewer', follow('viewer')],
    ['/users/groups', 'engineers', follow('engineers')],
  ],
  'routes/_console/settings/sessions.tsx': [
    ['/settings/sessions', 'Confirm end session', inRowWith(/ago/, 'End session')],
    ['/settings/sessions', 'Confirm end all other sessions', press('End all others')],
  ],
  'features/ssh-keys/SshKeyForm.tsx': [
    ['/settings/ssh-keys-new', 'Add SSH key'],
    ['/projects/:project/instances-new', 'Add SSH key', press('Add SSH key')],
  ],
  'routes/_console/settings/_ssh-keys/ssh-keys.$sshKey.edit.tsx': [
    ['/settings/ssh-keys/desk/edit', 'View SSH key'],
  ],
  'routes/_console/settings/_ssh-keys/route.tsx': [
    ['/settings/ssh-keys', 'Confirm delete SSH key', inRow('desk', 'Delete')],
  ],
  'features/sign-in/renew/SignInDialog.tsx': [
    ['/projects-new', 'Your session has ended', fill('Name', 'kept'), endSession, press('Create project')],
  ],
}
