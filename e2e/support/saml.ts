import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import {
  type IdentityProvider,
  identityProvider,
  type Said,
} from '../../packages/server/src/testing/identity-provider.ts'
import type { Served } from './gantry.ts'

type Api = (user: 'admin', method: string, path: string, body?: unknown) => Promise<unknown>

export interface SamlSilo {
  name: string
  provider: string
}

/** Creates a silo with an identity provider, runs the test, and deletes the silo. */
export async function withSamlSilo(
  { gantry, api, name }: { gantry: Served; api: Api; name: string },
  run: (silo: SamlSilo) => Promise<void>,
): Promise<void> {
  const provider = 'corporate'
  const acs = `${gantry.url}/login/${name}/saml/${provider}`
  const idp = identityProvider({ audience: 'gantry', recipient: acs })
  const { server, address } = await serve(idp, acs)
  const metadata = idp.metadata.replaceAll('https://idp.example/sso', address)
  await api('admin', 'POST', '/v1/system/silos', {
    name,
    description: 'Users of an identity provider',
    discoverable: true,
    identity_mode: 'saml_jit',
    quotas: { cpus: 8, memory: 0, storage: 0 },
    tls_certificates: [],
    admin_group_name: 'operators',
    mapped_fleet_roles: {},
  })
  try {
    await api('admin', 'POST', `/v1/system/identity-providers/saml?silo=${name}`, {
      name: provider,
      description: '',
      idp_entity_id: idp.entityId,
      sp_client_id: 'gantry',
      acs_url: acs,
      slo_url: `${gantry.url}/logout`,
      technical_contact_email: 'ops@example.com',
      idp_metadata_source: { type: 'base64_encoded_xml', data: Buffer.from(metadata).toString('base64') },
      group_attribute_name: 'groups',
    })
    await run({ name, provider })
  } finally {
    await api('admin', 'DELETE', `/v1/system/silos/${name}`)
    server.closeAllConnections()
    server.close()
  }
}

/**
 * The provider's users: one in the silo's admin group, one in no group, and one with a response for another
 * audience.
 */
const users: Record<string, Partial<Said>> = {
  alice: { attributes: { groups: ['operators'] } },
  bob: {},
  mallory: { audience: 'somebody else' },
}

/**
 * The provider's page, without passwords. It is a real server, because not every browser applies mocked routes
 * to redirects.
 */
async function serve(idp: IdentityProvider, acs: string): Promise<{ server: Server; address: string }> {
  const server = createServer((request, response) => {
    const relay = new URL(request.url ?? '/', 'http://localhost').searchParams.get('RelayState') ?? ''
    const forms = Object.entries(users).map(
      ([name, claims]) => `<form method="post" action="${acs}">
        <input type="hidden" name="SAMLResponse" value="${idp.post({ subject: name, ...claims })}">
        <input type="hidden" name="RelayState" value="${relay}"><button>I am ${name}</button></form>`,
    )
    response.setHeader('content-type', 'text/html')
    response.end(`<title>Who are you?</title>${forms.join('')}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { server, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sso` }
}

export const signInAtProvider = (page: Page, name: keyof typeof users): Promise<void> =>
  page.getByRole('button', { name: `I am ${name}` }).click()
