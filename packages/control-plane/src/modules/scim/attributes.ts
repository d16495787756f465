import { externalIdMaxLength } from '@gantry/api/people/silo.rules'
import { isLonger } from '@gantry/api/base/text.rules'
import { ScimRefusal } from '../../pipeline/scim.ts'

export const urn = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
} as const

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names are compared without regard to case (RFC 7643, 4.1.1 and 4.2). */
export const fold = (name: string): string => name.toLowerCase()

const prefixes = [urn.user, urn.group].map((schema) => `${fold(schema)}:`)

/** An attribute's name in one spelling, with or without the URN of its schema before it (RFC 7644, 3.10). */
export function attributeName(given: string): string {
  const name = fold(given)
  const prefix = prefixes.find((one) => name.startsWith(one))
  return prefix === undefined ? name : name.slice(prefix.length)
}

/** The attributes of a resource by their names in one spelling. */
export function attributesOf(body: unknown, what = 'The request body'): ReadonlyMap<string, unknown> {
  if (!isJson(body)) throw invalidSyntax(`${what} must be a JSON object.`)
  return new Map(Object.entries(body).map(([name, value]) => [attributeName(name), value]))
}

export const invalidSyntax = (detail: string) => new ScimRefusal(400, 'invalidSyntax', detail)
export const invalidValue = (detail: string) => new ScimRefusal(400, 'invalidValue', detail)
export const uniqueness = (detail: string) => new ScimRefusal(409, 'uniqueness', detail)
export const noResource = (type: string, id: string) =>
  new ScimRefusal(404, undefined, `There is no ${type} with the id "${id}".`)

/** The name of a user or group. */
export function readName(attribute: 'userName' | 'displayName', value: unknown): string {
  if (value === undefined || value === null) throw invalidValue(`The attribute ${attribute} is required.`)
  if (typeof value !== 'string') throw invalidValue(`The attribute ${attribute} must be a string.`)
  if (value.trim() === '') throw invalidValue(`The attribute ${attribute} must not be blank.`)
  return bounded(attribute, value)
}

/** The client's own id of a user or group; null where it has none. */
export function readExternalId(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (typeof value !== 'string') throw invalidValue('The attribute externalId must be a string.')
  return bounded('externalId', value)
}

/** Some identity providers send the boolean as a string. Whether a user without a value is active was never decided. */
export function readActive(value: unknown): boolean {
  if (value === null) return true
  const text = typeof value === 'string' ? fold(value) : value
  if (text === true || text === 'true') return true
  if (text === false || text === 'false') return false
  throw invalidValue('The attribute active must be true or false.')
}

function bounded(attribute: string, value: string): string {
  if (isLonger(value, externalIdMaxLength))
    throw invalidValue(`The attribute ${attribute} may have at most ${externalIdMaxLength} characters.`)
  return value
}
