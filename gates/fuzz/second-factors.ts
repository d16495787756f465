import { totpCode, totpStepAt } from '@gantry/control-plane/modules/sign-in/factors/totp'
import { sql } from 'kysely'
import { SoftwareAuthenticator } from '../../packages/server/src/testing/software-authenticator.ts'
import type { Chance } from './chance.ts'
import type { Scene } from './scene.ts'
import type { Draft } from './draft.ts'

const origin = 'http://localhost'
const setUp = { totp: '/ext/v1/me/totp/set-up', passkey: '/ext/v1/me/passkeys/set-up' }

/** A challenge that a software authenticator answers. */
type Challenge = Parameters<SoftwareAuthenticator['make']>[0]

/** The parts of a response that the next request needs. */
interface FactorResponse extends Partial<Challenge> {
  secret?: string
  recovery_codes?: string[] | null
  passkeys?: { id: string }[]
}

/** A refusal has no challenge; its stand-in is then refused as well. */
const challengeOf = ({
  challenge = 'none',
  rp_id = 'localhost',
  user_handle = '',
}: FactorResponse): Challenge => ({
  challenge,
  rp_id,
  user_handle,
})

/** A user at a browser, who performs the steps before the tested request. */
class Browser {
  readonly #scene: Scene
  readonly #address: string
  cookie: string
  #now = 0

  constructor(scene: Scene, chance: Chance, cookie = '') {
    this.#scene = scene
    this.#address = `10.2.${chance.below(256)}.${chance.below(256)}`
    this.cookie = cookie
  }

  /** The response, or why it was refused; stores cookies. */
  async ask(method: string, path: string, body?: unknown): Promise<FactorResponse> {
    const headers = { cookie: this.cookie, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const answer = await this.#scene.bed.plane.fetch(new Request(`${origin}${path}`, init), {
      address: this.#address,
    })
    this.cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? this.cookie
    const text = await answer.text()
    return !answer.ok || text === '' ? {} : JSON.parse(text)
  }

  password(): Promise<unknown> {
    const { silo, name, password } = this.#scene.user
    return this.ask('POST', `/v1/login/${silo}/local`, { username: name, password })
  }

  confirm(): Promise<unknown> {
    const { password } = this.#scene.user
    return this.ask('POST', '/ext/v1/me/confirmations', { kind: 'password', password })
  }

  /** The current step's code, or one of a later step. */
  async code(secret = '', ahead = 0): Promise<string> {
    const begun = await this.#scene.bed.db.selectFrom('totp_set_up').select('time_expires').executeTakeFirst()
    // The scene's clock is ahead of this host's: a tentative secret lasts fifteen minutes from the scene's
    // now.
    if (begun) this.#now = begun.time_expires.getTime() - 900_000
    return secret === '' ? '000000' : totpCode(secret, totpStepAt(new Date(this.#now)) + ahead)
  }

  async app(): Promise<{ secret: string; recovery: string }> {
    const { secret = '' } = await this.ask('POST', setUp.totp)
    const added = await this.ask('POST', '/ext/v1/me/totp', { code: await this.code(secret) })
    return { secret, recovery: added.recovery_codes?.[0] ?? 'x' }
  }

  async passkey(): Promise<SoftwareAuthenticator> {
    const authenticator = new SoftwareAuthenticator(origin)
    const options = await this.ask('POST', setUp.passkey)
    await this.ask('POST', '/ext/v1/me/passkeys', await authenticator.make(challengeOf(options)))
    return authenticator
  }
}

/** Restores users who sign in with a password alone, for every request. */
async function withoutFactors({ bed }: Scene, rule: 'optional' | 'required'): Promise<void> {
  for (const table of ['passkey', 'totp', 'totp_set_up', 'recovery_code'] as const)
    await sql`DELETE FROM ${sql.table(table)}`.execute(bed.db)
  await sql`INSERT INTO silo_auth_settings (silo_id, generation, second_factor)
    SELECT id, 1, ${rule} FROM silo ON CONFLICT (silo_id) DO UPDATE SET second_factor = ${rule}`.execute(
    bed.db,
  )
}

/**
 * Adds the proof that these operations need, and performs the steps before it; for the caller, or for the
 * user who signs in.
 */
export async function proveFactors(draft: Draft, scene: Scene, chance: Chance): Promise<void> {
  const { id } = draft.op
  const isSignIn = /^login_(totp|passkey|recovery)/.test(id)
  if (!isSignIn && !/^(totp|passkey|recovery_codes|confirmation)_/.test(id)) return
  const isFirst = isSignIn && /set_up|create/.test(id)
  await withoutFactors(scene, isFirst ? 'required' : 'optional')
  const browser = new Browser(scene, chance, isSignIn ? '' : (draft.headers.cookie ?? ''))
  const silo = scene.user.silo
  if (isSignIn) {
    draft.path = draft.path.replace(/\/login\/[^/]+/, `/login/${silo}`)
    await browser.password()
  } else await browser.confirm()
  const at = draft.path.replace('/confirm', '')
  switch (id) {
    case 'confirmation_create':
      draft.body = { kind: 'password', password: scene.user.password }
      break
    case 'login_totp_create':
      draft.body = { code: await browser.code((await browser.ask('POST', at)).secret) }
      break
    case 'login_passkey_create':
      draft.body = await new SoftwareAuthenticator(origin).make(challengeOf(await browser.ask('POST', at)))
      break
    case 'login_totp':
    case 'login_recovery_code': {
      const { secret, recovery } = await browser.app()
      const code = await browser.code(secret, 1)
      await browser.password()
      draft.body = { code: id === 'login_totp' ? code : recovery }
      break
    }
    case 'login_passkey': {
      const authenticator = await browser.passkey()
      browser.cookie = ''
      const asked = await browser.ask('POST', `${at}-challenge`, { use: 'sign_in' })
      draft.body = await authenticator.use(challengeOf(asked))
      break
    }
    case 'login_passkey_challenge':
      draft.body = { use: 'sign_in' }
      break
    case 'totp_create':
      draft.body = { code: await browser.code((await browser.ask('POST', setUp.totp)).secret) }
      break
    case 'totp_delete':
    case 'recovery_codes_create':
      await browser.app()
      break
    case 'passkey_create': {
      const options = await browser.ask('POST', setUp.passkey)
      if (options.challenge) draft.body = await new SoftwareAuthenticator(origin).make(challengeOf(options))
      break
    }
    case 'passkey_update':
    case 'passkey_delete': {
      await browser.passkey()
      const [passkey] = (await browser.ask('GET', '/ext/v1/me/second-factors')).passkeys ?? []
      if (passkey) draft.path = `/ext/v1/me/passkeys/${passkey.id}`
      if (id === 'passkey_update') draft.body = { name: chance.word() }
      break
    }
  }
  // The password step identifies the user, though not in this request.
  const headers = { 'user-agent': `a browser of ${scene.user.name}` }
  if (isSignIn) draft.headers = { ...draft.headers, ...headers, cookie: browser.cookie }
}
