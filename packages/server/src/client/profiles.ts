import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Failure, mistake } from './failure.ts'
import type { Parsed } from './arguments.ts'

type Env = Readonly<Record<string, string | undefined>>

/** A server, and the token of the user that signed in to it. */
interface Profile {
  url: string
  token?: string
  token_id?: string
  /** Whose token it is. */
  user?: string
  time_expires?: string | null
}

export interface Profiles {
  /** The profile of commands that name none. */
  current?: string
  profiles: Record<string, Profile>
}

/** Where the profiles are: tokens of people, so only their owner may read it. */
export function profilesFile(env: Env): string {
  const config = env['XDG_CONFIG_HOME']
  const folder = config && path.isAbsolute(config) ? config : path.join(os.homedir(), '.config')
  return path.join(folder, 'gantry', 'profiles.json')
}

export function readProfiles(env: Env): Profiles {
  const file = profilesFile(env)
  let content: string
  try {
    content = fs.readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw mistake(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    const read = JSON.parse(content) as Partial<Profiles>
    if (read.profiles && Object.values(read.profiles).every(({ url }) => URL.canParse(url)))
      return read as Profiles
  } catch {
    // Reported with everything else that it may lack.
  }
  throw mistake(`${file} is damaged. Delete it and sign in again: gantry login URL`)
}

/** Replaces the file as a whole, so that an interrupted write leaves the former one. */
export function writeProfiles(env: Env, profiles: Profiles): void {
  const file = profilesFile(env)
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const written = `${file}.${process.pid}`
  fs.writeFileSync(written, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  fs.renameSync(written, file)
}

/** A server and the token that requests to it carry, if there is one. */
export interface Connection {
  url: string
  token: string | undefined
}

/** By options, the environment and profiles, in this order. A profile's token goes to its own server only. */
export function connectionOf(parsed: Pick<Parsed, 'text'>, env: Env): Connection {
  const url = parsed.text('url') ?? (env['GANTRY_URL'] || undefined)
  const token = env['GANTRY_TOKEN'] || undefined
  const named = parsed.text('profile') ?? (env['GANTRY_PROFILE'] || undefined)
  if (url !== undefined && named === undefined) {
    const origin = originOf(url)
    const { profiles, current } =
      token === undefined ? readProfiles(env) : { profiles: {}, current: undefined }
    const known = Object.entries(profiles).sort(([a]) => (a === current ? -1 : 1))
    return { url: origin, token: token ?? known.find(([, profile]) => profile.url === origin)?.[1].token }
  }
  const profile = namedProfile(env, named)
  if (profile === undefined)
    throw new Failure('notSignedIn', 'Say which server: sign in by gantry login URL, or set GANTRY_URL.')
  if (url !== undefined && originOf(url) !== profile.url)
    throw mistake(`Profile ${named} is for ${profile.url}. Leave --url out, or name another profile.`)
  return { url: profile.url, token: token ?? profile.token }
}

function namedProfile(env: Env, named: string | undefined): Profile | undefined {
  const { profiles, current } = readProfiles(env)
  const name = named ?? current
  if (name === undefined) return undefined
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  if (profile || named === undefined) return profile
  throw mistake(`There is no profile ${name}. ${listed(Object.keys(profiles))}`)
}

export const listed = (names: readonly string[]): string =>
  names.length === 0
    ? 'There are none yet: gantry login URL --profile NAME'
    : `There are ${names.join(', ')}.`

/** The origin of a URL as people write it: `gantry.example` is `https://gantry.example`. */
export function originOf(given: string): string {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `https://${given}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin
  throw mistake(`${JSON.stringify(given)} is no server: it takes an address like https://gantry.example.`)
}
