import { isLonger } from './text.rules.ts'

/** Maximum length of a name, in bytes (all allowed characters are ASCII). */
export const nameMaxLength = 63
/** Maximum length of a description, in characters. */
export const descriptionMaxLength = 512

const uuidForms = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[0-9a-f]{32}$/i,
  /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}$/i,
]

/** Any textual form of a UUID, including those without dashes. */
export const isUuid = (text: string): boolean => uuidForms.some((form) => form.test(text))

/** The canonical form in which ids are stored and shown: lower case with dashes. */
export function canonicalUuid(text: string): string {
  const hex = text.toLowerCase().replace(/urn:uuid:|[{}-]/g, '')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Why the API refuses a name, in its words; undefined for a valid one. */
export function nameProblem(name: string): string | undefined {
  if (name.length > nameMaxLength) return 'name may contain at most 63 characters'
  if (name === '') return 'name requires at least one character'
  if (!/^[a-z]/.test(name)) return 'name must begin with an ASCII lowercase character'
  const bad = /[^a-z0-9-]/u.exec(name)?.[0]
  if (bad !== undefined)
    return `name contains invalid character: "${bad}" (allowed characters are lowercase ASCII, digits, and "-")`
  if (name.endsWith('-')) return 'name cannot end with "-"'
  if (isUuid(name)) return 'name cannot be a UUID to avoid ambiguity with IDs'
  return undefined
}

/** A form's message for a name, before anything is sent; the first failing rule decides. */
export function nameFieldProblem(name: string, label = 'Name'): string | undefined {
  if (name.length > nameMaxLength) return `Must be ${nameMaxLength} characters or fewer`
  if (name === '') return `${label} is required`
  if (!/^[a-z0-9-]+$/.test(name)) return 'Can only contain lower-case letters, numbers, and dashes'
  if (!/^[a-z]/.test(name)) return 'Must start with a lower-case letter'
  if (!/[a-z0-9]$/.test(name)) return 'Must end with a letter or number'
  if (isUuid(name)) return 'Must not look like an ID'
  return undefined
}

export function descriptionProblem(description: string): string | undefined {
  return isLonger(description, descriptionMaxLength)
    ? `Must be ${descriptionMaxLength} characters or fewer`
    : undefined
}

/**
 * A name made of parts: each is truncated so that the whole fits 63 characters, joined with dashes and ending
 * in six random hexadecimal digits (specification, section 5).
 */
export function generateName(randomHex: (digits: number) => string, ...parts: string[]): string {
  const room = Math.floor(nameMaxLength / parts.length) - Math.ceil(6 / parts.length) - 1
  return [...parts.map((part) => part.slice(0, room)), randomHex(6)].join('-')
}
