import { nameProblem } from '../base/name.rules.ts'
import { hostnameProblem } from './instance.rules.ts'

export const batchLimits = {
  /** Instances that one request creates. */
  instances: 50,
  /** The largest number of an instance. */
  lastNumber: 999_999,
  /** Characters of a pattern: of the longest host name, and of the place of the number. */
  pattern: 256,
  /** Unfinished requests of one user. */
  open: 4,
} as const

/** Where a pattern has the number. */
export const numberPlace = '{n}'

/** A text as a pattern: a name without a place for the number gets it at the end, and a host name after its first part. */
export function patternOf(text: string): string {
  if (text.includes(numberPlace)) return text
  const [first = '', ...rest] = text.split('.')
  return [`${first}-${numberPlace}`, ...rest].join('.')
}

export const named = (pattern: string, number: number): string => pattern.replace(numberPlace, String(number))

const numbersOf = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index)

export const namesOf = (pattern: string, first: number, count: number): string[] =>
  numbersOf(first, count).map((number) => named(pattern, number))

/** The number in a name of a pattern; undefined for other names. Numbers have no zeros in front. */
export function numberIn(pattern: string, name: string): number | undefined {
  const [before = '', after = ''] = pattern.split(numberPlace)
  if (!name.startsWith(before) || !name.endsWith(after)) return undefined
  const digits = name.slice(before.length, name.length - after.length)
  return /^(0|[1-9]\d{0,5})$/.test(digits) ? Number(digits) : undefined
}

/** Why a pattern is refused for these numbers; the longest of its names decides. */
export function patternProblem(
  pattern: string,
  last: number,
  problem: (name: string) => string | undefined = nameProblem,
): string | undefined {
  const places = pattern.split(numberPlace).length - 1
  if (places !== 1) return `a pattern has ${numberPlace} exactly once, where the number goes`
  return problem(named(pattern, last))
}

export const hostnamePatternProblem = (pattern: string, last: number): string | undefined =>
  patternProblem(pattern, last, hostnameProblem)

interface Parts {
  disks: readonly { type: string }[]
  external: readonly { type: string }[]
  /** Whether one of its interfaces has an address that the request chooses. */
  hasOwnAddress: boolean
}

/** What several instances cannot share, in the words of the API and of forms. */
export const unshared = {
  disk: 'an existing disk can be attached to one instance only',
  floating: 'a floating IP can be attached to one instance only',
  address: 'a private address can belong to one instance only',
} as const

export function unsharedProblem({ disks, external, hasOwnAddress }: Parts): string | undefined {
  if (disks.some(({ type }) => type === 'attach')) return unshared.disk
  if (external.some(({ type }) => type === 'floating')) return unshared.floating
  if (hasOwnAddress) return unshared.address
  return undefined
}
