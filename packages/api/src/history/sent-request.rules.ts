import { isSecretField } from '../client/secret-fields.rules.ts'
import type { OpName } from '../registry.ts'
import { planPrefix } from './plan.rules.ts'

/**
 * What concerns only the user's own sign-in or view of the console, and questions. Tokens and second factors are among
 * it, so that none of their secrets comes near what is kept.
 */
export const isPrivateRequest = (path: string): boolean =>
  /^\/(ext\/v1\/me\/|ext\/v1\/favourites\/|ext\/v1\/device-denials|(ext\/)?v1\/login\/|device\/|v1\/me\/access-tokens|v1\/logout)/.test(
    path,
  ) || path.startsWith(`${planPrefix}/`)

const ofBytes: ReadonlySet<string> = new Set<OpName>([
  'diskBulkWriteImport',
  'imageUploadWrite',
  'imageUploadZeros',
  'updateUploadWrite',
])

/** Requests that carry the bytes of a file. */
export const carriesBytes = (name: string): boolean => ofBytes.has(name)

/** The field of an answer with the object that it is about, where the object is not the answer itself. */
const answeredIn: Readonly<Partial<Record<OpName, string>>> = {
  alertReceiverProbe: 'probe',
  networkingAddressLotCreate: 'lot',
  siloUserInvite: 'user',
}

/** Where an answer has the id of its object: `id` or `user.id`. */
export function answeredId(name: string): string {
  const within = answeredIn[name as OpName]
  return within === undefined ? 'id' : `${within}.id`
}

/** A value in an answer by its path. */
export const valueAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[key] : undefined,
      answer,
    )

/** A request in the words of the API, with something where each secret was, so that a variable can stand there later. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  const fields = value as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(fields).map(([name, inner]) => {
      if (!inner || !isSecretField(name, fields)) return [name, withoutSecrets(inner)]
      return [name, Array.isArray(inner) ? ['secret'] : 'secret']
    }),
  )
}
