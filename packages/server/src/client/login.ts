import { deviceGrantType } from '@gantry/api/people/device.rules'
import { parse, connectionFlags } from './arguments.ts'
import { call } from './call.ts'
import { Failure, mistake, sentence } from './failure.ts'
import { operation } from './operations.ts'
import { listed, originOf, profilesFile, readProfiles, writeProfiles } from './profiles.ts'
import { lines } from './help.ts'
import { tableOf } from './table.ts'
import type { Terminal } from './terminal.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Names this program to servers: the application's id, which is the same everywhere and no secret. */
const clientId = '5d2f6a0e-6f0b-4a3e-9c55-7f4b1f2f8d11'
const pollMs = 2000

const loginHelp = `Sign in to a server: approve the shown code in a browser.

Usage: gantry login URL [options]

Options:
  --profile NAME  the profile to save it as (default: the current one of this server, or "default")
  --ttl SECONDS   how long the token shall be valid
  --help

The token is saved in a file that only you can read, and used by every command afterwards.
`

const logoutHelp = `Delete the token of a profile, here and on the server.

Usage: gantry logout [--profile NAME]
`

const profileHelp = `Several servers and users, by name.

Usage: gantry profile list
       gantry profile use NAME
       gantry profile remove NAME
`

/** Signs in by a code that the user approves in a browser (RFC 8628). */
export async function login(args: readonly string[], env: Env, terminal: Terminal): Promise<void> {
  const parsed = parse(args, { ...connectionFlags, ttl: { type: 'string', multiple: true } })
  if (parsed.isSet('help')) return terminal.out(loginHelp)
  const saved = readProfiles(env)
  const asked = parsed.text('profile') ?? (env['GANTRY_PROFILE'] || undefined)
  const [
    given = parsed.text('url') ??
      (env['GANTRY_URL'] || undefined) ??
      saved.profiles[asked ?? saved.current ?? '']?.url,
    extra,
  ] = parsed.operands
  if (given === undefined) throw mistake('Say where to sign in: gantry login URL.')
  if (extra !== undefined) throw mistake(`login takes one URL, and ${extra} is another operand.`)
  const url = originOf(given)
  const name = asked ?? nameFor(url, saved)
  if (!/^[\w.-]{1,64}$/.test(name))
    throw mistake('A profile has letters, digits, dots and dashes, at most 64.')
  const ttl = parsed.text('ttl')
  if (ttl !== undefined && !/^[1-9]\d*$/.test(ttl)) throw mistake('--ttl takes a number of seconds.')

  const connection = { url, token: undefined }
  const begun = await call(
    operation('device_auth_request'),
    { body: { client_id: clientId, ...(ttl !== undefined && { ttl_seconds: ttl }) } },
    { connection },
  )
  const device = begun.data as Begun
  terminal.err(
    `Open ${device.verification_uri} in a browser, sign in, and approve this code:\n\n  ${device.user_code}\n\n`,
  )
  const granted = await tokenOf(url, device)
  const me = await call(
    operation('current_user_view'),
    {},
    { connection: { url, token: granted.access_token } },
  )
  const user = (me.data as { display_name: string }).display_name
  // Read again: another sign-in may have finished in the meantime.
  const { profiles } = readProfiles(env)
  profiles[name] = {
    url,
    token: granted.access_token,
    token_id: granted.token_id,
    user,
    time_expires: granted.time_expires,
  }
  writeProfiles(env, { current: name, profiles })
  terminal.err(`Signed in to ${url} as ${user}, saved as profile ${name} in ${profilesFile(env)}.\n`)
}

interface Begun {
  device_code: string
  user_code: string
  verification_uri: string
  expires_in: number
}
interface Granted {
  access_token: string
  token_id: string
  time_expires: string | null
}

/** The current profile of a server is renewed, and of other names the host's is the best one. */
function nameFor(url: string, { current, profiles }: ReturnType<typeof readProfiles>): string {
  if (current !== undefined && profiles[current]?.url === url) return current
  const known = Object.entries(profiles).find(([, profile]) => profile.url === url)
  if (known) return known[0]
  return Object.hasOwn(profiles, 'default') ? new URL(url).host.replace(':', '-') : 'default'
}

async function tokenOf(url: string, { device_code, expires_in }: Begun): Promise<Granted> {
  const until = Date.now() + expires_in * 1000
  const body = { grant_type: deviceGrantType, device_code, client_id: clientId }
  while (Date.now() < until) {
    await new Promise((resolve) => {
      setTimeout(resolve, pollMs)
    })
    try {
      return (
        await call(operation('device_access_token'), { body }, { connection: { url, token: undefined } })
      ).data as Granted
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      if (/authorization pending|slow down/i.test(error.message)) continue
      if (/access denied/i.test(error.message))
        throw new Failure('refused', 'The sign-in was denied in the browser.', { cause: error })
      if (/expired token/i.test(error.message)) break
      throw error
    }
  }
  throw new Failure('notSignedIn', `The code was not approved in time. Start again: gantry login ${url}`)
}

export async function logout(args: readonly string[], env: Env, terminal: Terminal): Promise<void> {
  const parsed = parse(args, connectionFlags)
  if (parsed.isSet('help')) return terminal.out(logoutHelp)
  const saved = readProfiles(env)
  const name = parsed.text('profile') ?? (env['GANTRY_PROFILE'] || saved.current)
  const profile = name === undefined ? undefined : saved.profiles[name]
  if (name === undefined || !profile)
    throw mistake(`There is nothing to sign out of. ${listed(Object.keys(saved.profiles))}`)
  const { url, token, token_id } = profile
  let problem: string | undefined
  if (token !== undefined && token_id !== undefined) {
    try {
      await call(
        operation('current_user_access_token_delete'),
        { path: { token_id } },
        { connection: { url, token } },
      )
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      // A token that is no longer valid needs no end.
      if (error.code !== 3) problem = error.message
    }
  }
  saved.profiles[name] = { url }
  writeProfiles(env, saved)
  if (problem === undefined) return terminal.err(`Signed out of ${url}.\n`)
  terminal.err(
    `The token is deleted here, but may still be valid on ${url}: ${sentence(problem)} Delete it under Access tokens in the console.\n`,
  )
}

export function profile(args: readonly string[], env: Env, terminal: Terminal): void {
  const parsed = parse(args, { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } })
  if (parsed.isSet('help')) return terminal.out(profileHelp)
  const [action = 'list', name] = parsed.operands
  const saved = readProfiles(env)
  const names = Object.keys(saved.profiles)
  if (action === 'list') {
    const rows = Object.entries(saved.profiles).map(([of, { url, user, time_expires, token }]) => ({
      name: of,
      current: of === saved.current,
      url,
      user: user ?? null,
      signed_in: token !== undefined,
      expires: time_expires ?? null,
    }))
    if (parsed.isSet('json')) return terminal.out(`${JSON.stringify(rows, null, 2)}\n`)
    if (rows.length === 0) return terminal.err(`${listed([])}\n`)
    const shown = rows.map(({ current, ...row }) => ({ ...row, name: current ? `${row.name} *` : row.name }))
    return terminal.out(tableOf(shown, undefined, terminal))
  }
  if (action !== 'use' && action !== 'remove')
    throw mistake(`There is no profile ${action}: there are list, use and remove.`)
  if (name === undefined || !Object.hasOwn(saved.profiles, name))
    throw mistake(`Say which profile: gantry profile ${action} NAME. ${listed(names)}`)
  if (action === 'use') return writeProfiles(env, { ...saved, current: name })
  const { [name]: _removed, ...rest } = saved.profiles
  const { current, ...others } = saved
  writeProfiles(env, {
    ...others,
    ...(current !== undefined && current !== name && { current }),
    profiles: rest,
  })
}

/** The commands that are no operations. */
export const signInCommands = (width: Pick<Terminal, 'columns'>): string =>
  lines(
    [
      ['login URL', 'sign in by a code that you approve in a browser'],
      ['logout', 'delete the token of a profile'],
      ['profile', 'list, choose and remove saved servers and users'],
      ['console INSTANCE', 'connect to a serial console'],
      ['cp FROM TO', 'upload a file as an image, or download a support bundle'],
      ['completion SHELL', 'print a script that completes commands in bash, zsh or fish'],
      ['commands', 'list every command, or those with the given words'],
    ],
    width,
  )
