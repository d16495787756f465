import type { Answer, Caller, TestBed } from '../../testing/control-plane.ts'

export const formType = { 'content-type': 'application/x-www-form-urlencoded' }
export const clientId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
export const grantType = 'urn:ietf:params:oauth:grant-type:device_code'

/** Posts a form like a device does. */
export const postForm = (bed: TestBed, path: string, form: Record<string, string>): Promise<Answer> =>
  bed.anonymous.call('POST', path, new URLSearchParams(form).toString(), formType)

export const beginDevice = (bed: TestBed, more: Record<string, string> = {}): Promise<Answer> =>
  postForm(bed, '/device/auth', { client_id: clientId, ...more })

export const pollDevice = (bed: TestBed, device_code: string, more: Record<string, string> = {}) =>
  postForm(bed, '/device/token', { grant_type: grantType, device_code, client_id: clientId, ...more })

/** A device approved by a user: its token and request parameters. */
export async function deviceOf(bed: TestBed, who: Caller, more: Record<string, string> = {}) {
  const { device_code, user_code } = (await beginDevice(bed, more)).body
  const confirmed = await who.post('/device/confirm', { user_code })
  if (confirmed.status !== 204) throw new Error(JSON.stringify(confirmed.body))
  const { access_token, token_id } = (await pollDevice(bed, device_code)).body as Record<string, string>
  const bearer = { authorization: `Bearer ${access_token}` }
  return {
    token: access_token ?? '',
    tokenId: token_id ?? '',
    bearer,
    get: (path: string) => bed.anonymous.call('GET', path, undefined, bearer),
    post: (path: string, body?: unknown) => bed.anonymous.call('POST', path, body, bearer),
  }
}

/** A request from an address, identified only by its own headers. */
export const from = (
  bed: TestBed,
  address: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  bed.plane.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
    { address },
  )
