import { identityProvider } from '../../packages/server/src/testing/identity-provider.ts'
import { okay } from './requests.ts'
import { newSilo } from './silos.ts'
import type { Stage } from './stage.ts'

/** A silo with an identity provider, and a function that posts to it. */
export async function samlSilo({ gantry, admin }: Stage, name: string) {
  const acs = `${gantry.url}/login/${name}/saml/corp`
  const idp = identityProvider({ audience: 'gantry', recipient: acs })
  await okay(
    await admin.send(
      'POST',
      '/v1/system/silos',
      newSilo(name, { identity_mode: 'saml_jit', discoverable: true }),
    ),
  )
  const provider = (metadata: string | { url: string }) =>
    admin.send('POST', `/v1/system/identity-providers/saml?silo=${name}`, {
      name: `corp${typeof metadata === 'string' ? '' : '-by-url'}`,
      description: '',
      idp_entity_id: idp.entityId,
      sp_client_id: 'gantry',
      acs_url: acs,
      slo_url: `${gantry.url}/logout`,
      technical_contact_email: 'ops@example.com',
      idp_metadata_source:
        typeof metadata === 'string'
          ? { type: 'base64_encoded_xml', data: Buffer.from(metadata).toString('base64') }
          : { type: 'url', url: metadata.url },
      group_attribute_name: 'groups',
    })
  await okay(await provider(idp.metadata))
  /** Posts like a browser at this address. */
  const post = (xml: string, address = '198.51.100.1'): Promise<Response> =>
    fetch(acs, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': address },
      body: new URLSearchParams({ SAMLResponse: Buffer.from(xml).toString('base64') }).toString(),
    })
  return { idp, acs, provider, post }
}
