import { once } from '../data/format.ts'

/** Writes and reads the numbers of a field as one locale does. */
export interface LocaleNumber {
  /** All decimals and no grouping: a field also holds ports and AS numbers. */
  write: (value: number) => string
  /** The number in a text as the locale or a user writes it; undefined if it is none. */
  read: (text: string) => number | undefined
}

/* What people group digits with in any locale, none of which separates decimals anywhere. */
const anyGroup = String.raw`[\s'’]`
/** Marks of writing direction, with which some locales surround signs. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
/** Longer texts are no amounts of anything. */
const maxLength = 60

export function localeNumber(locale?: string): LocaleNumber {
  const written = new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 20 })
  const parts = new Intl.NumberFormat(locale).formatToParts(-1_234_567.8)
  const sign = (type: Intl.NumberFormatPartTypes) =>
    (parts.find((part) => part.type === type)?.value ?? '').replace(directionMarks, '')
  const digits = [...Array(10).keys()].map((digit) => written.format(digit))
  const decimal = sign('decimal')
  const group = `${anyGroup}|${escape(sign('group'))}`
  // Groups of three, before which some locales have groups of two. A misplaced separator is no grouping: `1,5` may be
  // meant as 1.5, and must not become 15.
  const whole = String.raw`\d{1,3}(?<group>${group})(?:\d{2,3}\k<group>)*\d{3}|\d+`
  const form = new RegExp(`^(?<minus>-?)(?<integer>${whole})?(?:${escape(decimal)}(?<decimals>\\d*))?$`)

  const plain = (text: string) =>
    Array.from(text.replace(directionMarks, '').trim())
      .map((char) => {
        const digit = digits.indexOf(char)
        if (digit >= 0) return String(digit)
        return char === '\u2212' || char === sign('minusSign') ? '-' : char
      })
      .join('')

  return {
    write: (value) => written.format(value).replace(directionMarks, ''),
    read(text) {
      if (text.length > maxLength) return undefined
      const { minus = '', integer = '', decimals = '' } = form.exec(plain(text))?.groups ?? {}
      if (integer + decimals === '') return undefined
      // Plus zero, because a field shows no negative zero.
      return Number(`${minus}${integer.replace(/\D/g, '')}.${decimals}`) + 0
    },
  }
}

const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The locale in which the screen shows numbers. */
export const ownNumbers = once(() => localeNumber())
