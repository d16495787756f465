import type { Answer, Caller, TestBed } from '@gantry/control-plane/testing/control-plane'
import { totpCode, totpStepAt } from './totp.ts'

export const factors = '/ext/v1/me/second-factors'
const password = 'correct horse'

export const cookieIn = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? ''

/** Performs the password step, and returns a caller with the cookie it set. */
export async function afterPassword(
  bed: TestBed,
  username: string,
  { silo = 'demo', secret = password } = {},
) {
  const answer = await bed.anonymous.post(`/v1/login/${silo}/local`, { username, password: secret })
  const cookie = cookieIn(answer)
  const post = (path: string, body?: unknown): Promise<Answer> =>
    bed.anonymous.call('POST', `/ext/v1/login/${silo}/${path}`, body, { cookie })
  return { answer, cookie, post }
}

/** A caller with the session that a response opened. */
export function signedInBy(bed: TestBed, answer: Answer): Caller {
  const cookie = cookieIn(answer)
  const call: Caller['call'] = (method, path, body, headers = {}) =>
    bed.anonymous.call(method, path, body, { cookie, ...headers })
  return {
    call,
    cookie,
    get: (path) => call('GET', path),
    post: (path, body) => call('POST', path, body),
  }
}

/** Sets up an authenticator app for a signed-in user, and returns its recovery codes. */
export async function withTotp(who: Caller, now: () => number) {
  const { secret } = (await who.post('/ext/v1/me/totp/set-up')).body as { secret: string }
  const codeAt = (ms: number): Promise<string> => totpCode(secret, totpStepAt(new Date(ms)))
  const made = await who.post('/ext/v1/me/totp', { code: await codeAt(now()) })
  if (made.status !== 201) throw new Error(JSON.stringify(made.body))
  return { secret, codeAt, recovery: made.body.recovery_codes as string[] }
}
