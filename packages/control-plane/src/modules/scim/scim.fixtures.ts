import { type Answer, type Caller, testControlPlane, type TestBed } from '../../testing/control-plane.ts'
import { samlProviderRow, silentSaml } from '../../testing/saml.ts'
import { formType } from '../sign-in/sign-in.fixtures.ts'
import type { Settings } from '../../settings.ts'
import { urn } from './attributes.ts'

/** An identity provider as it sends requests, with the headers that both known ones have. */
export interface ScimCaller {
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  get: (path: string) => Promise<Answer>
  patch: (path: string, ...Operations: object[]) => Promise<Answer>
}

/** A control plane whose provider's assertions are the names in them. */
export const scimControlPlane = (settings?: Settings): Promise<TestBed> =>
  testControlPlane({
    environment: {
      ...(settings && { settings }),
      saml: {
        ...silentSaml,
        readResponse: async (_, subject) => ({
          id: crypto.randomUUID(),
          subject,
          groups: ['group-of-the-assertion'],
          attributes: [],
          expires: new Date(Date.now() + 60_000),
        }),
      },
    },
  })

/** A silo whose users are managed by SCIM, with a provider for their sign-in. */
export async function scimSilo(bed: TestBed, operator: Caller, name: string, admin_group_name?: string) {
  const { body: silo } = await operator.post('/v1/system/silos', {
    name,
    description: '',
    discoverable: true,
    identity_mode: 'saml_scim',
    quotas: { cpus: 10, memory: 2 ** 34, storage: 2 ** 34 },
    tls_certificates: [],
    ...(admin_group_name && { admin_group_name }),
  })
  await bed.db.insertInto('saml_identity_provider').values(samlProviderRow(silo.id, 'corporate')).execute()
  const token = (await operator.post(`/v1/system/scim/tokens?silo=${name}`)).body
  return { silo, token, client: scimCaller(bed, token.bearer_token) }
}

export function scimCaller(bed: TestBed, bearer: string): ScimCaller {
  // No operation of the contract describes these.
  const call: ScimCaller['call'] = async (method, path, body, headers = {}) => {
    const request = new Request(`http://localhost/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json; charset=utf-8' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const response = await bed.plane.fetch(request, { address: '127.0.0.1' })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    }
  }
  return {
    call,
    get: (path) => call('GET', path),
    patch: (path, ...Operations) => call('PATCH', path, { schemas: [urn.patch], Operations }),
  }
}

/** Signs in by SAML with a name; a caller, or the status and message of the refusal. */
export async function samlSignIn(
  bed: TestBed,
  silo: string,
  name: string,
): Promise<Answer & { cookie: string }> {
  const form = new URLSearchParams({ SAMLResponse: name }).toString()
  const answer = await bed.anonymous.call('POST', `/login/${silo}/saml/corporate`, form, formType)
  return { ...answer, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' }
}

/** A user at a browser who signed in by SAML. */
export async function signedIn(bed: TestBed, silo: string, name: string): Promise<Caller> {
  const { cookie, status, body } = await samlSignIn(bed, silo, name)
  if (status !== 303) throw new Error(`sign-in answered ${status} ${JSON.stringify(body)}`)
  const call: Caller['call'] = (method, path, body, headers = {}) =>
    bed.anonymous.call(method, path, body, { cookie, ...headers })
  return { call, get: (path) => call('GET', path), post: (path, body) => call('POST', path, body), cookie }
}
