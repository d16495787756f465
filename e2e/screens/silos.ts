import { createSilo } from '../support/silo-scenes.ts'
import type { Area } from './area.ts'

export const silos: Area = {
  name: 'silos',
  forFleetViewers: true,
  screens: [
    ['silos', '/system/silos', true, ['link', 'demo']],
    ['new silo', '/system/silos-new', true, ['button', 'Create silo']],
    ['silo, identity providers', '/system/silos/demo/idps', true, ['heading', 'No identity providers']],
    ['new identity provider', '/system/silos/forge/idps-new', true, ['button', 'Create provider']],
    ['identity provider', '/system/silos/forge/idps/saml/corporate', true, ['heading', 'Test sign-in']],
    [
      'edit identity provider',
      '/system/silos/forge/idps/saml/corporate/edit',
      true,
      ['button', 'Update identity provider'],
    ],
    ['silo, IP pools', '/system/silos/demo/ip-pools', true, ['button', 'Link pool']],
    ['silo, quotas', '/system/silos/demo/quotas', true, ['button', 'Edit quotas']],
    ['silo, fleet roles', '/system/silos/demo/fleet-roles', true, ['heading', 'demo']],
    ['silo, SCIM', '/system/silos/scim-:project/scim', true, ['button', 'Create token']],
    ['silo, users', '/system/silos/demo/users', true, ['link', 'New user']],
    ['new user', '/system/silos/demo/users-new', true, ['button', 'Create user']],
    ['user of a silo', '/system/silos/lagoon/users/:invited', true, ['heading', 'tomas']],
    ['silo, groups', '/system/silos/demo/groups', true, ['heading', 'demo']],
    ['silo, projects', '/system/silos/demo/projects', true, ['heading', 'demo']],
    ['silo, certificates', '/system/silos/forge/certificates', true, ['button', 'Add TLS certificate']],
  ],
  furnish: async ({ api, project }) => {
    const silo = `scim-${project}`
    await createSilo(api, silo, { identity_mode: 'saml_scim', admin_group_name: 'admins' })
    await api('admin', 'POST', `/v1/system/scim/tokens?silo=${silo}`)
  },
}
