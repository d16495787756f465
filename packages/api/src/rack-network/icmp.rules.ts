import { type NumberRange, readRange } from '../base/number-range.rules.ts'

const max = 255
const digits = 3

/** Codes in the API's format: `3` or `1-3`. */
export const readIcmpCodes = (text: string): NumberRange | undefined =>
  readRange(text, { digits, min: 0, max })

/** The types with a name; all others are given by number. */
export const icmpTypes: Readonly<Record<number, string>> = {
  0: 'Echo Reply',
  3: 'Destination Unreachable',
  5: 'Redirect Message',
  8: 'Echo Request',
  9: 'Router Advertisement',
  10: 'Router Solicitation',
  11: 'Time Exceeded',
  12: 'Parameter Problem',
  13: 'Timestamp Request',
  14: 'Timestamp Reply',
}

/** Those of ICMPv6. */
export const icmp6Types: Readonly<Record<number, string>> = {
  1: 'Destination Unreachable',
  2: 'Packet Too Big',
  3: 'Time Exceeded',
  4: 'Parameter Problem',
  128: 'Echo Request',
  129: 'Echo Reply',
  133: 'Router Solicitation',
  134: 'Router Advertisement',
  135: 'Neighbor Solicitation',
  136: 'Neighbor Advertisement',
  137: 'Redirect Message',
}

/** A form's message for an ICMP type. */
export const icmpTypeProblem = (text: string): string | undefined =>
  /^[0-9]+$/.test(text.trim()) && Number(text) <= max
    ? undefined
    : `ICMP type must be a number between 0 and ${max}`

/** Word processors turn hyphens into these dashes. */
export const tidyIcmpCode = (text: string): string => text.trim().replaceAll(/[–—]/g, '-')

/** A form's message for ICMP codes; no codes means all of the type. */
export function icmpCodeProblem(text: string): string | undefined {
  const code = tidyIcmpCode(text)
  if (code === '') return undefined
  const [, start, end] = /^([0-9]+)(?:-([0-9]+))?$/.exec(code) ?? []
  if (start === undefined) return 'ICMP code must be a number or a range of numbers'
  const high = (number: string): boolean => number.length > digits || Number(number) > max
  if (end === undefined) return high(start) ? `ICMP code must be between 0 and ${max}` : undefined
  if (high(start)) return `ICMP code range start must be between 0 and ${max}`
  if (high(end)) return `ICMP code range end must be between 0 and ${max}`
  return Number(start) > Number(end) ? 'ICMP code range start must not be above its end' : undefined
}
