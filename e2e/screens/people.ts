import type { Area } from './area.ts'

export const people: Area = {
  name: 'people',
  screens: [
    ['project access', '/projects/:project/access', true, ['button', 'Add user or group']],
    ['silo access', '/access', true, ['button', 'Add user or group']],
    ['audit log of the silo', '/audit-log', true, ['heading', 'Audit log']],
    ['audit record of the silo', '/audit-log?record=:record', true, ['heading', 'Changes']],
    ['certificates', '/certificates', true, ['button', 'Add TLS certificate']],
    ['users', '/users', true, ['link', 'viewer']],
    ['user', '/users/:user', true, ['heading', 'viewer']],
    ['groups', '/users/groups', true, ['link', 'engineers']],
    ['group', '/users/groups/:group', true, ['heading', 'engineers']],
    ['service accounts', '/projects/:project/service-accounts', true, ['link', 'New service account']],
    ['service accounts of the silo', '/service-accounts', true, ['heading', 'Service accounts']],
    [
      'new service account',
      '/projects/:project/service-accounts-new',
      true,
      ['button', 'Create service account'],
    ],
    ['service account', '/projects/:project/service-accounts/deployer', true, ['link', 'New token']],
    [
      'edit service account',
      '/projects/:project/service-accounts/deployer/edit',
      true,
      ['button', 'Update service account'],
    ],
    [
      'new token of a service account',
      '/projects/:project/service-accounts/deployer/tokens-new',
      true,
      ['button', 'Create token'],
    ],
    ['new service account of the silo', '/service-accounts-new', true, ['button', 'Create service account']],
    ['service account of the silo', '/service-accounts/backup-:project', true, ['tab', 'Access tokens']],
    [
      'edit service account of the silo',
      '/service-accounts/backup-:project/edit',
      true,
      ['button', 'Update service account'],
    ],
    [
      'new token of a service account of the silo',
      '/service-accounts/backup-:project/tokens-new',
      true,
      ['button', 'Create token'],
    ],
    ['profile', '/settings/profile', true, ['heading', 'No groups']],
    ['SSH keys', '/settings/ssh-keys', true, ['heading', 'No SSH keys']],
    ['add SSH key', '/settings/ssh-keys-new', true, ['button', 'Add SSH key']],
    ['access tokens', '/settings/access-tokens', true, ['button', 'Edit']],
    ['new access token', '/settings/access-tokens-new', true, ['button', 'Create token']],
    ['security', '/settings/security', true, ['button', 'Edit']],
    ['sessions', '/settings/sessions', true, ['button', 'End all others']],
  ],
  furnish: async ({ api, project }) => {
    await api('admin', 'POST', '/ext/v1/service-accounts', {
      name: `backup-${project}`,
      description: 'copies disks by night',
    })
    const made = await api('member', 'POST', `/ext/v1/service-accounts?project=${project}`, {
      name: 'deployer',
      description: 'deploys by night',
      role_name: 'collaborator',
    })
    const { id } = made as { id: string }
    await api('member', 'POST', `/ext/v1/service-accounts/${id}/access-tokens`, {
      name: 'nightly',
      ttl_seconds: 86_400,
      powers: ['read', 'change'],
    })
  },
}
